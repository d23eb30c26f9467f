#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    loop {
        v = v.saturating_sub(b);
    }
    v
}

fn main() {}
