#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    a << 1
}

fn main() {}
