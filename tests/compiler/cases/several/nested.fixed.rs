#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    (a as u16 * b as u16 / a.max(1) as u16).saturating_cast()
}

fn main() {}
