//! A device's tensor that is written is lent exclusively, as one of the processor's is.
use windrow::{opencl::DeviceTensor, prelude::*};

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

pub fn wrong(on_device: &DeviceTensor<u8>, out: &DeviceTensor<u8>) {
    let _ = invert::apply_into(on_device, out);
}

fn main() {}
