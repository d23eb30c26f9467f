#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(x = 0..8))]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(0, 0)
}

fn main() {}
