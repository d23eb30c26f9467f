#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(h, h))]
pub fn example([y, x]: At<2>, #[shape(h, _)] src: View<u8>) -> u8 {
    src.get([x, y]).unwrap_or(0)
}

fn main() {}
