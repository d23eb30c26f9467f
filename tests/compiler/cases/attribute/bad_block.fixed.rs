#![allow(unused)]
use windrow::prelude::*;

#[kernel(schedule(neon(32, 4)))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
