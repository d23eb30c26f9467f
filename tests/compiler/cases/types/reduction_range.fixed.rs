#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    least(0..a, |i| i).min(b)
}

fn main() {}
