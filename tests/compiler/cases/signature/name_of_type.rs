#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn u8(a: i16, b: i16) -> i16 {
    a.max(b)
}

fn main() {}
