#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let first = |v: u8| v / 2;
    first(a).max(b)
}

fn main() {}
