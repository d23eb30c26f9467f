#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(self, b: u8) -> u8 {
    b
}

fn main() {}
