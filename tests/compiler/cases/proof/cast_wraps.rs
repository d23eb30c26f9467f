#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> i8 {
    a as i8
}

fn main() {}
