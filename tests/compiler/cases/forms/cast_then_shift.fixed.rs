#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> i16 {
    (a as i16) << 4
}

fn main() {}
