//! What a run writes is an argument of it.
use windrow::prelude::*;

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

fn main() {
    let photo = Tensor::<u8>::new([4, 3]).unwrap();
    let configured = invert::configure(photo.info(), photo.info()).unwrap();
    let _ = configured.run(&windrow::Serial, photo.view());
}
