#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, src: View<u8>, #[uniform] scale: f32) -> u8 {
    let row = (y as f32 * scale).floor() as i32;
    src.get([row + 1, x as i32]).unwrap_or(0)
}

fn main() {}
