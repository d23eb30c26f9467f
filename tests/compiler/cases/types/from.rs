#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i16) -> u8 {
    u8::from(a)
}

fn main() {}
