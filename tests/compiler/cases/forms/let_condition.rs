#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    if let 0 = a && b > 9 { b } else { a }
}

fn main() {}
