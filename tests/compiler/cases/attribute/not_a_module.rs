#![allow(unused)]
use windrow::prelude::*;

#[kernels]
pub fn example(a: u8) -> u8 {
    a
}

fn main() {}
