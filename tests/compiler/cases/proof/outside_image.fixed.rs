#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, src: View<u8>) -> u8 {
    let [height, width] = src.extents();
    src[[(y - 1).clamp(0, height - 1), x.min(width - 1)]]
}

fn main() {}
