#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    for (_, i) in (0..b).zip(0..8) {
        v /= 2;
    }
    v
}

fn main() {}
