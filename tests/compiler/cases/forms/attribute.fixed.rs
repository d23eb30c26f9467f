#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    fn half(v: u8) -> u8 {
        v / 2
    }
    half(a).max(b)
}

fn main() {}
