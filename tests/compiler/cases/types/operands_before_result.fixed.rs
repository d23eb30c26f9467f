#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> i16 {
    a as i16 - b as i16
}

fn main() {}
