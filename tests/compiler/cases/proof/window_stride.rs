#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(h / 2, w / 2))]
pub fn example([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> u8 {
    src[[2 * y + 2, 2 * x]]
}

fn main() {}
