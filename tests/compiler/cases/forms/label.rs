#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    'rows: for i in 0..3 {
        v = v.saturating_add(b >> i);
    }
    v
}

fn main() {}
