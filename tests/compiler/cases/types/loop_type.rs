#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(n: i64) -> i64 {
    let mut last = n;
    for i in 0..n {
        last = i;
    }
    last
}

fn main() {}
