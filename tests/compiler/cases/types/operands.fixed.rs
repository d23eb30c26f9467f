#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u16 {
    a as u16 + b as u16
}

fn main() {}
