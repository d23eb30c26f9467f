#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i32) -> i32 {
    let mut v = a;
    for i in 0..20 {
        v ^= v.wrapping_mul(i);
    }
    v
}

fn main() {}
