#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(v: f32) -> f32 {
    v * 2
}

fn main() {}
