#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] level: u8) -> u8 {
    a.max(level)
}

fn main() {}
