#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = 3_u8.abs_diff(2);
    a.max(v)
}

fn main() {}
