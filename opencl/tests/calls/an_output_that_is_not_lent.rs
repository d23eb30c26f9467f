//! An image that is written is lent exclusively.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let out = Tensor::<u8>::new([4, 3]).unwrap();
    let _ = invert::apply_into(&photo, &out);
}
