#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    const ONE: u8 = 1;
    const TWO: u8 = ONE;
    a.max(ONE).max(TWO)
}

fn main() {}
