#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: View<u8>) -> u8 {
    src.get([y, x + 1]).unwrap_or(0)
}

fn main() {}
