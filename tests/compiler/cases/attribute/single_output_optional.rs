#![allow(unused)]
use windrow::prelude::*;

#[kernel(output(most?))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
