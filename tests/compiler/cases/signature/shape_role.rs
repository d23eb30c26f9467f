#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(#[shape(h, w)] src: u8) -> u8 {
    src
}

fn main() {}
