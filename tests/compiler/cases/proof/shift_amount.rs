#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] shift: u32) -> u8 {
    a >> shift
}

fn main() {}
