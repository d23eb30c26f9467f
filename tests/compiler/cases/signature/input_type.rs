#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: bool) -> u8 {
    a as u8
}

fn main() {}
