#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8, #[variant] policy: u8) -> u8 {
    match policy {
        0 => a.wrapping_add(b),
        _ => a.saturating_add(b),
    }
}

fn main() {}
