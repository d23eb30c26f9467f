#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform(sum_of_magnitudes <= 256)] gain: i32) -> u8 {
    (a as i32 * gain / 256).saturating_cast()
}

fn main() {}
