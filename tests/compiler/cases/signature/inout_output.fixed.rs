#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[inout] acc: i16) -> i16 {
    acc.saturating_add(a as i16)
}

fn main() {}
