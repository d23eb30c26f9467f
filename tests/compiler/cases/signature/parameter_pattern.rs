#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example((a, b): (u8, u8)) -> u8 {
    a.max(b)
}

fn main() {}
