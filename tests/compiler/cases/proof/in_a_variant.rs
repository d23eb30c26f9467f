#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => a.wrapping_add(b),
        Overflow::Saturate => a + b,
    }
}

fn main() {}
