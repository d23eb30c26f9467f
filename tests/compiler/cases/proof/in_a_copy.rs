#![allow(unused)]
use windrow::prelude::*;

#[kernel(types(T = u8, i16))]
pub fn example(a: T, b: T) -> T {
    a + b
}

fn main() {}
