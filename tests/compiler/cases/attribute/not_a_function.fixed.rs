#![allow(unused)]
use windrow::prelude::*;

#[kernel]
fn example(a: u8) -> u8 {
    const LEVEL: u8 = 3;
    a.max(LEVEL)
}

fn main() {}
