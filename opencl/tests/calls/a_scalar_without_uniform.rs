//! A scalar parameter without `#[uniform]` is an image.
use windrow::prelude::*;

#[kernel]
pub fn amplify(x: f32, gain: f32) -> f32 {
    x * gain
}

fn main() {
    let signal = Tensor::<f32>::new([4, 3]).unwrap();
    let _ = amplify::apply(&signal, 1.5);
}
