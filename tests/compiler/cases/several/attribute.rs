#![allow(unused)]
use windrow::prelude::*;

#[kernel(stepp(16, 1), schedule(gpu(4, 8)), border(mirror))]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(1, 0)
}

fn main() {}
