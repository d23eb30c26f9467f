#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    static LEVEL: u8 = 3;
    a.max(b).max(LEVEL)
}

fn main() {}
