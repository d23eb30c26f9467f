#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u16 {
    a.max(3)
}

fn main() {}
