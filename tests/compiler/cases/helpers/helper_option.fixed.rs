#![allow(unused)]
use windrow::prelude::*;

#[helper]
fn half(a: f32) -> f32 {
    a / 2.0
}

#[kernel(fast, uses(half))]
pub fn example(a: f32) -> f32 {
    half(a)
}

fn main() {}
