#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f32) -> f32 {
    let v: f32 = 0.5;
    a * v
}

fn main() {}
