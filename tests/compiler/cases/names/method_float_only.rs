#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> f32 {
    a.sqrt()
}

fn main() {}
