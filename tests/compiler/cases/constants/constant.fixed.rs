#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    let start = x();
    (start & 1) as u8 | a
}

fn main() {}
