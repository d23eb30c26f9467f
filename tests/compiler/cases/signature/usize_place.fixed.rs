#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, a: u8) -> u8 {
    if (y + x) % 2 == 0 { a } else { 0 }
}

fn main() {}
