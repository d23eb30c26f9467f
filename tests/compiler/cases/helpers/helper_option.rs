#![allow(unused)]
use windrow::prelude::*;

#[helper(fast)]
fn half(a: f32) -> f32 {
    a / 2.0
}

#[kernel(uses(half))]
pub fn example(a: f32) -> f32 {
    half(a)
}

fn main() {}
