#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([a, b]: [u8; 2]) -> u8 {
    a.max(b)
}

fn main() {}
