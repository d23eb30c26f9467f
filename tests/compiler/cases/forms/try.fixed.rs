#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = if a > 255 - b { 255 } else { a + b };
    v
}

fn main() {}
