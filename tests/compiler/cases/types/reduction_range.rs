#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    least([a, 1], |i| i).min(b)
}

fn main() {}
