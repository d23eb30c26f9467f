#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(#[uniform] level: u8, a: u8) -> u8 {
    a.saturating_add(level)
}

fn main() {}
