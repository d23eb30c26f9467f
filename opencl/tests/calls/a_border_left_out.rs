//! A kernel that reads its neighbours is told what lies outside the image.
use windrow::prelude::*;

#[kernel]
pub fn least(x: Neighbourhood<u8>) -> u8 {
    x.at(-1, 0).min(x.at(1, 0))
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let _ = least::apply(&photo);
}
