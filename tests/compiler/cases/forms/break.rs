#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    for i in 0..8 {
        if v > b {
            break;
        }
        v = v.saturating_add(i);
    }
    v
}

fn main() {}
