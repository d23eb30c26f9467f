#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    let mut v = 0;
    for dy in -2..=2 {
        for dx in -2..=2 {
            v = src.at(dx, dy).max(v);
        }
    }
    v
}

fn main() {}
