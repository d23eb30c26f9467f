#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, src: View<u8, 7>) -> u8 {
    src.get([0, 0, 0, 0, 0, 0, a as i32]).unwrap_or(0)
}

fn main() {}
