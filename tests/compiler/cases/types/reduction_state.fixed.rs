#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut last = b;
    let mut least = u8::MAX;
    for i in 0..a {
        last = i.max(last);
        least = least.min(i);
    }
    least.min(last)
}

fn main() {}
