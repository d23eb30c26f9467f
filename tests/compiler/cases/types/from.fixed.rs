#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: i16) -> u8 {
    a.saturating_cast()
}

fn main() {}
