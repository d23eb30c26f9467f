//! The elements of a device's tensor are those that the kernel declares.
use windrow::{opencl::DeviceTensor, prelude::*};

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

pub fn wrong(on_device: &DeviceTensor<i16>) {
    let _ = invert::apply(on_device);
}

fn main() {}
