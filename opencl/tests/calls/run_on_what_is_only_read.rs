//! A run writes into views that may be written.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let [photo, out] = [(); 2].map(|()| Tensor::<u8>::new([4, 3]).unwrap());
    let configured = invert::configure(photo.info(), out.info()).unwrap();
    let _ = configured.run(&windrow::Serial, photo.view(), out.view());
}
