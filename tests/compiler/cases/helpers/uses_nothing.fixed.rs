#![allow(unused)]
use windrow::prelude::*;

#[helper]
fn half(a: u8) -> u8 {
    a / 2
}

#[helper]
const OFFSET: u8 = 3;

#[kernel(uses(half))]
pub fn example(a: u8) -> u8 {
    half(a)
}

fn main() {}
