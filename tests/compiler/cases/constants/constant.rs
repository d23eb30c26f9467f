#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u8 {
    const START: i32 = x();
    (START & 1) as u8 | a
}

fn main() {}
