#![allow(unused)]
use windrow::prelude::*;

#[kernel(output(sum, difference))]
pub fn example(a: u8, b: u8) -> (u16, u8) {
    (a as u16 + b as u16, a.abs_diff(b))
}

fn main() {}
