#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = [b, b];
    let i: u8 = 1;
    v[i as usize].max(a)
}

fn main() {}
