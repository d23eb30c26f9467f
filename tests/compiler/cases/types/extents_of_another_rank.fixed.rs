#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, a: u8, src: View<u8, 3>) -> u8 {
    let [_, height, width] = src.extents();
    src.get([0, y % height, x % width]).unwrap_or(a)
}

fn main() {}
