#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(w, h))]
pub fn example([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> u8 {
    src[[x, y]]
}

fn main() {}
