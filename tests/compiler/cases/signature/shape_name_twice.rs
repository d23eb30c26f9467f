#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(w, h))]
pub fn example([y, x]: At<2>, #[shape(h, w)] src: View<u8>, #[uniform(0..=9)] w: i32) -> u8 {
    src[[x, y]]
}

fn main() {}
