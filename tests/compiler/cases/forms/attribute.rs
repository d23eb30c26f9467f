#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    #[inline]
    fn half(v: u8) -> u8 {
        v / 2
    }
    #[cfg(test)]
    let b = a;
    half(a).max(b)
}

fn main() {}
