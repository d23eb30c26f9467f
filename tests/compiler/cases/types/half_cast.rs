#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, n: i16) -> (f32, bf16) {
    (a as f32, n.cast())
}

fn main() {}
