#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    match a {
        v if v <= 9 => v,
        _ => b,
    }
}

fn main() {}
