#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let most = a.max(b);
    most(3)
}

fn main() {}
