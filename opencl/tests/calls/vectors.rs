//! Each vector that is passed for an image is told, and so is one beside an image.
use windrow::{Error, prelude::*};

#[kernel]
pub fn greater(a: u8, b: u8) -> u8 {
    a.max(b)
}

#[pipeline]
pub fn greatest(a: &Tensor<u8>, b: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    greater::apply(a, b)
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let pixels = vec![1u8, 2, 3];
    let _ = greater::apply(&pixels, &pixels);
    let _ = greater::apply(&photo, &pixels);
    let _ = greater::apply(&pixels, &photo);
    let _ = greatest::apply(&pixels, &pixels);
}
