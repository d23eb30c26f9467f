#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let half = |v: u8| v / 2;
    let same = |v: u8| v;
    let f = if a > b { half } else { same };
    f(a)
}

fn main() {}
