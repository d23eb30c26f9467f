#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = a.abs_dif(b);
    let w = levle;
    let n = 3u16 + a;
    let m: u16 = b;
    n
}

fn main() {}
