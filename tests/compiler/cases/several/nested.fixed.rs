#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    (a as i32 * b as i32 - a as i32).saturating_cast()
}

fn main() {}
