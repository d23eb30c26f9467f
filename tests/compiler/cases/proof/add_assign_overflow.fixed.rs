#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut sum = a;
    sum = sum.wrapping_add(b);
    sum
}

fn main() {}
