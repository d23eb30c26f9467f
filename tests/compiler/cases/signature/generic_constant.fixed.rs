#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    const N: usize = 3;
    [a; N][0]
}

fn main() {}
