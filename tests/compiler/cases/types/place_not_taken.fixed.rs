#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, src: View<u8>) -> u8 {
    src.get([y, x + 1]).unwrap_or(0)
}

fn main() {}
