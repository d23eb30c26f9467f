#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, #[uniform] gain: f16) -> f16 {
    (a.cast::<f32>() * gain.cast::<f32>()).cast()
}

fn main() {}
