//! A tensor that is read is lent.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let _ = invert::apply(photo);
}
