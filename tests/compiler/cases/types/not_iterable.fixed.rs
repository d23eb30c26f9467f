#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut sum = 0u8;
    for v in [a, b] {
        sum |= v;
    }
    sum
}

fn main() {}
