#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f32) -> f32 {
    use core::f32::consts::PI;
    a * PI
}

fn main() {}
