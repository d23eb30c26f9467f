#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform] scale: i32) -> i32 {
    a as i32 / scale
}

fn main() {}
