#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(p: [u8; 5]) -> u8 {
    p[0]
}

fn main() {}
