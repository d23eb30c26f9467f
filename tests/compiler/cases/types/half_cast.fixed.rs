#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, n: i16) -> (f32, bf16) {
    (a.cast::<f32>(), (n as f32).cast())
}

fn main() {}
