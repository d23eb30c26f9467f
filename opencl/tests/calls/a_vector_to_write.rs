//! A vector has no width and no height: nothing is written into it.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let mut pixels = vec![0u8; 12];
    let _ = invert::apply_into(&photo, &mut pixels);
}
