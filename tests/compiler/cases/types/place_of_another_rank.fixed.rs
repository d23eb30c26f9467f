#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, a: u8, src: View<u8, 3>) -> u8 {
    src.get([0, y, x]).unwrap_or(a)
}

fn main() {}
