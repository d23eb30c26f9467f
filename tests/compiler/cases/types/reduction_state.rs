#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut last = b;
    least(0..a, |i| { last = i; i }).min(last)
}

fn main() {}
