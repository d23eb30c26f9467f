#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    for _ in 0..b {
        v /= 2;
    }
    v
}

fn main() {}
