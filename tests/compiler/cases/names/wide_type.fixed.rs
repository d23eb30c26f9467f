#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f32) -> f32 {
    let v: u64 = 5;
    a
}

fn main() {}
