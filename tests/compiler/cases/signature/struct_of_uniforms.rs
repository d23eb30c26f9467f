#![allow(unused)]
use windrow::prelude::*;

pub struct Levels {
    gain: u8,
}

#[kernel]
pub fn example(a: u8, #[uniform] levels: Levels) -> u8 {
    a.saturating_add(levels.gain)
}

fn main() {}
