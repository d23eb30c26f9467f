#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i32, #[uniform(-4..=-1)] b: i32) -> i32 {
    a / b
}

fn main() {}
