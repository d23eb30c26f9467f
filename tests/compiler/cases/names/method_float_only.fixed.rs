#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> f32 {
    (a as f32).sqrt()
}

fn main() {}
