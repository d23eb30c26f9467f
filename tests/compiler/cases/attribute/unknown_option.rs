#![allow(unused)]
use windrow::prelude::*;

#[kernel(setp(16, 1))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
