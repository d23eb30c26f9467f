#![allow(unused)]
use windrow::prelude::*;

#[kernel(require(lower <= upper))]
pub fn example(a: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 {
    a.clamp(lower, upper)
}

fn main() {}
