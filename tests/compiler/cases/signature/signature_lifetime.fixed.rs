#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(1, 0)
}

fn main() {}
