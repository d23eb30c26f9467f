#![allow(unused)]
use windrow::prelude::*;

#[kernel(neighbourhood(x = -1..=2, y = 0..=0))]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(0, 0).max(src.at(2, 0))
}

fn main() {}
