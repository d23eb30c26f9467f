#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f32) -> f32 {
    let v = 0.5_f32;
    a * v
}

fn main() {}
