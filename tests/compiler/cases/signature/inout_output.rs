#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, #[inout] acc: i16) -> i32 {
    acc.saturating_add(a as i16) as i32
}

fn main() {}
