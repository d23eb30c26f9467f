#![allow(unused)]
use windrow::prelude::*;

#[kernel(step = 16, fast = true)]
pub fn example(a: f32) -> f32 {
    a * 2.0
}

fn main() {}
