#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(2 * h, 2 * w))]
pub fn example([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> u8 {
    src[[y / 2, x / 2]]
}

fn main() {}
