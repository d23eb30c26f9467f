//! A vector has no width and no height: it is not an image.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let pixels = vec![1u8, 2, 3];
    let _ = invert::apply(&pixels);
}
