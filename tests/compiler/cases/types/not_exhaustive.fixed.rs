#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    match a {
        0 => b,
        1..=9 => 9,
        _ => a,
    }
}

fn main() {}
