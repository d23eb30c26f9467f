#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u16 {
    (a as i16).unsigned_abs()
}

fn main() {}
