#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let sum = a as u16 + b as u16;
    sum as u8
}

fn main() {}
