#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] #[stride(2, 2)] level: u8) -> u8 {
    a.max(level)
}

fn main() {}
