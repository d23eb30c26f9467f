#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i32) -> i32 {
    let mut v = 0_i32;
    for i in 0..1000 {
        v = v.wrapping_add(i);
    }
    a.wrapping_add(v)
}

fn main() {}
