#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let sum = a.saturating_add(b);
    let product = a.saturating_mul(b);
    sum / product.max(1)
}

fn main() {}
