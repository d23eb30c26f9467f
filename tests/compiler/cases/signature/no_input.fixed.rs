#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    a.max(7)
}

fn main() {}
