#![allow(unused)]
use windrow::prelude::*;

#[helper]
const HALF: u8 = 2;

#[kernel(uses(HALF))]
pub fn example(a: u8) -> u8 {
    a / HALF
}

fn main() {}
