#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let first = |v| 1;
    a.max(b)
}

fn main() {}
