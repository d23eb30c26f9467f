#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(n: i64) -> i64 {
    let mut last = n;
    for i in 0..n.clamp(0, 99) as i32 {
        last = i as i64;
    }
    last
}

fn main() {}
