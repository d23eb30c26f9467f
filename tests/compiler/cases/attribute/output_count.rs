#![allow(unused)]
use windrow::prelude::*;

#[kernel(output(least))]
pub fn example(a: u8, b: u8) -> (u8, u8) {
    (a.min(b), a.max(b))
}

fn main() {}
