#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>, #[uniform(0..=1)] shift: i32) -> u8 {
    src.at(shift, 0)
}

fn main() {}
