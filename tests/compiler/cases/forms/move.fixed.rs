#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let most = |v: u8| v.max(b);
    most(a)
}

fn main() {}
