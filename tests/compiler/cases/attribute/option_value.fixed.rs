#![allow(unused)]
use windrow::prelude::*;

#[kernel(step(16, 1), fast)]
pub fn example(a: f32) -> f32 {
    a * 2.0
}

fn main() {}
