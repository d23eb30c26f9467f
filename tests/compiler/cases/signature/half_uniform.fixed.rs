#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, #[uniform] gain: f32) -> f16 {
    (a.cast::<f32>() * gain).cast()
}

fn main() {}
