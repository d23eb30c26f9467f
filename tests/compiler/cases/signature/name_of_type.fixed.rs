#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn most(a: i16, b: i16) -> i16 {
    a.max(b)
}

fn main() {}
