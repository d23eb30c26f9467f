#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[inout] acc: u8) -> u8 {
    acc.max(a)
}

fn main() {}
