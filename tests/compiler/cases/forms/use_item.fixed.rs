#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f32) -> f32 {
    a * core::f32::consts::PI
}

fn main() {}
