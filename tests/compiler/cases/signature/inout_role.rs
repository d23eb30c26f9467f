#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[inout] acc: Neighbourhood<u8>) -> u8 {
    acc.at(0, 0).max(a)
}

fn main() {}
