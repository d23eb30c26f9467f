//! The elements of an image are those that the kernel declares.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let depth = Tensor::<i16>::new([4, 3]).unwrap();
    let mut out = Tensor::<u8>::new([4, 3]).unwrap();
    let _ = invert::apply_into(&depth, &mut out);
}
