#![allow(unused)]
use windrow::prelude::*;

#[kernel(schedule(openc(4, 8)))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
