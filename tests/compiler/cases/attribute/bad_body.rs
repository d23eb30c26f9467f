#![allow(unused)]
use windrow::prelude::*;

fn body(_: &windrow::code::Rows<'_>) {}

#[kernel(neon = 16)]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
