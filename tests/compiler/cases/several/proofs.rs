#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let sum = a + b;
    let product = a * b;
    sum / product
}

fn main() {}
