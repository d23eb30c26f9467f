#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    a.wrapping_shl(1)
}

fn main() {}
