#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(n: u8) -> u8 {
    let mut last = n;
    for _ in 0..24 {
        for i in 0..n {
            last = i;
        }
    }
    last
}

fn main() {}
