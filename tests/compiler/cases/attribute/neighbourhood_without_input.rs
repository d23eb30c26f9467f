#![allow(unused)]
use windrow::prelude::*;

#[kernel(neighbourhood(x = -1..=1, y = 0..=0))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
