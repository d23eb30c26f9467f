#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = 3u32;
    a.max(v as u8)
}

fn main() {}
