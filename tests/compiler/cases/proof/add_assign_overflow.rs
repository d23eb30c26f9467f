#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut sum = a;
    sum += b;
    sum
}

fn main() {}
