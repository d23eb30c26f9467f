#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    while v > b {
        v -= 1;
    }
    v
}

fn main() {}
