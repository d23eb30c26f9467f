#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] levels: [u8; 256]) -> u8 {
    levels[0].max(a)
}

fn main() {}
