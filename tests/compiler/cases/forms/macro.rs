#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    assert!(a > b);
    a.max(b)
}

fn main() {}
