#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let v = (a as u16 + b as u16).saturating_cast();
    a
}

fn main() {}
