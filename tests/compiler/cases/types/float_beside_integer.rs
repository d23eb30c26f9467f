#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(v: u8) -> f32 {
    v * 0.5
}

fn main() {}
