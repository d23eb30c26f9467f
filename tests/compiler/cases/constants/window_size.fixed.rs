#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.window::<3, 3>()[0][0]
}

fn main() {}
