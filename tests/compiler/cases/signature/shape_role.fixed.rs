#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: u8) -> u8 {
    src
}

fn main() {}
