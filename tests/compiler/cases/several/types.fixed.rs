#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u16 {
    let v = a.abs_diff(b);
    let w = v;
    let n = 3u16 + a as u16 + w as u16;
    let m: u16 = b as u16;
    n
}

fn main() {}
