#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, y: usize, x: usize) -> u8 {
    if (y + x) % 2 == 0 { a } else { 0 }
}

fn main() {}
