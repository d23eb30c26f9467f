#![allow(unused)]
use windrow::prelude::*;

const K: u8 = 3;

fn half(v: u8) -> u8 {
    v / 2
}

#[kernel]
pub fn example(a: u8) -> u8 {
    half(a).max(K)
}

fn main() {}
