#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[uniform(0..=65535)] centre: i32) -> i32 {
    x() - centre
}

fn main() {}
