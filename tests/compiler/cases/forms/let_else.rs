#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let 0 = a else { 0 };
    v.max(b)
}

fn main() {}
