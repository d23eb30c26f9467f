#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, b: f16) -> f16 {
    if a < b { a + b } else { a.sqrt() }
}

fn main() {}
