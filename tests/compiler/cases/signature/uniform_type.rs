#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] level: bool) -> u8 {
    if level { a } else { 0 }
}

fn main() {}
