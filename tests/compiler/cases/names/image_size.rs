#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> i32 {
    x() - width() / 2
}

fn main() {}
