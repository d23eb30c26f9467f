#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] level: u8) -> u8 {
    if level != 0 { a } else { 0 }
}

fn main() {}
