//! What is computed on a device is written there.
use windrow::{opencl::DeviceTensor, prelude::*};

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

pub fn wrong(on_device: &DeviceTensor<u8>, out: &mut Tensor<u8>) {
    let _ = invert::apply_into(on_device, out);
}

fn main() {}
