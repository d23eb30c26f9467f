#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(p: [u8; 3], #[uniform(0..=2)] channel: usize) -> u8 {
    p[channel]
}

fn main() {}
