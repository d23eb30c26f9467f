#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u16, lut: Table<u8, 65536>) -> u8 {
    lut[a]
}

fn main() {}
