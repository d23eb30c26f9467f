#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>, #[uniform(0..=1)] shift: i32) -> u8 {
    if shift == 0 { src.at(0, 0) } else { src.at(1, 0) }
}

fn main() {}
