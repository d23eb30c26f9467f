#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(
    a0: u8,
    a1: u8,
    a2: u8,
    a3: u8,
    a4: u8,
    a5: u8,
    a6: u8,
    a7: u8,
) -> u8 {
    a0.max(a1)
}

fn main() {}
