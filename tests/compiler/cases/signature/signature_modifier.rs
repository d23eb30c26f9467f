#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub unsafe fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
