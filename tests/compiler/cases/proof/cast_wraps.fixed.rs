#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> i8 {
    a.wrapping_cast()
}

fn main() {}
