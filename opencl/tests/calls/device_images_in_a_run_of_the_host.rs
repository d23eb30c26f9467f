//! A configured kernel runs on the host's views; `OpenClKernel` runs it on a device.
use windrow::{opencl::DeviceTensor, prelude::*};

#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

pub fn wrong(on_device: &DeviceTensor<u8>, out: &mut Tensor<u8>) {
    let configured = invert::configure(on_device.info(), out.info()).unwrap();
    let _ = configured.run(&windrow::Serial, on_device, out.view_mut());
}

fn main() {}
