#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u16 {
    a.unsigned_abs()
}

fn main() {}
