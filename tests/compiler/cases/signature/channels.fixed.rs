#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(p: [u8; 3]) -> u8 {
    p[0]
}

fn main() {}
