#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(w, sizes[3]))]
pub fn example([y, x]: At<2>, #[shape(h, w)] src: View<u8>, #[uniform(1..=9)] sizes: [i32; 2]) -> u8 {
    src.get([x, y]).unwrap_or(0)
}

fn main() {}
