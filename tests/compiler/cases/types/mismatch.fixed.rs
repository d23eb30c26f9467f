#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8) -> u16 {
    (a.max(3)) as u16
}

fn main() {}
