#![allow(unused)]
use windrow::prelude::*;

#[kernel(step(16, 1), schedule(opencl(4, 8)), border(reflect101))]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.at(1, 0)
}

fn main() {}
