#![allow(unused)]
use windrow::prelude::*;

#[kernel(neighbourhood(x = -1..=1, y = -1..=1))]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(1, 0)
}

fn main() {}
