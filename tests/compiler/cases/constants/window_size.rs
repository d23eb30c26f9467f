#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    src.window::<0, 3>()[0][0]
}

fn main() {}
