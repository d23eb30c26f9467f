#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i16) -> i16 {
    -a
}

fn main() {}
