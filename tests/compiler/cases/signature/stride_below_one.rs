#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(#[stride(1 / 2, 1 / 2)] src: Neighbourhood<u8>) -> u8 {
    src.at(0, 0)
}

fn main() {}
