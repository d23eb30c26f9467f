#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i16) -> u16 {
    a.unsigned_abs()
}

fn main() {}
