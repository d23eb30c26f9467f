#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(w, h))]
pub fn example([y, x]: At<2>, #[shape(_, h, w)] src: View<u8, 3>) -> u8 {
    src.get([0, x, y]).unwrap_or(0)
}

fn main() {}
