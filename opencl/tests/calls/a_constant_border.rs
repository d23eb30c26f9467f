//! The value of a border has a type.
use windrow::prelude::*;

#[kernel]
pub fn left(src: Neighbourhood<u8>) -> u8 {
    src.at(-1, 0)
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let _ = left::apply(&photo, Border::Constant(0));
    let _ = left::apply(&photo, Border::Constant(0u8));
}
