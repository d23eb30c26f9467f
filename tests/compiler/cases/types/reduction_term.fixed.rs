#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    greatest(0..a, |i| (i > b) as u8)
}

fn main() {}
