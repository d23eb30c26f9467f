#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    match (a, b) {
        (0, v) => v,
        (v, 0) => v,
        _ => a,
    }
}

fn main() {}
