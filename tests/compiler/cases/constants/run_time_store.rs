#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let policy = if a > b { Overflow::Wrap } else { Overflow::Saturate };
    match policy {
        Overflow::Wrap => 0,
        Overflow::Saturate => 1,
    }
}

fn main() {}
