#![allow(unused)]
use windrow::prelude::*;

#[kernel(schedule(neon(4096, 4096)))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
