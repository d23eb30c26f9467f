#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] gain: u8) -> u8 {
    a.saturating_add(gain)
}

fn main() {}
