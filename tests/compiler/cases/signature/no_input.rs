#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example() -> u8 {
    7
}

fn main() {}
