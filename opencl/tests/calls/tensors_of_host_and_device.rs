//! The images of a call lie in one memory: the processor's, or one device's.
use windrow::{opencl::DeviceTensor, prelude::*};

#[kernel]
pub fn distance(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

pub fn wrong(on_device: &DeviceTensor<u8>, photo: &Tensor<u8>) {
    let _ = distance::apply(on_device, photo);
}

fn main() {}
