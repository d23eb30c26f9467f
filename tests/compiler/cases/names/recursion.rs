#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    fn fall(v: u8) -> u8 {
        if v == 0 { 0 } else { fall(v / 2) }
    }
    fall(a).max(b)
}

fn main() {}
