#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, lut: Table<u8, 256>) -> u8 {
    lut[a > 3]
}

fn main() {}
