//! Kernels of floats in halves on OpenCL devices: what is stored in 16 bits and computed in 32 equals the reference on
//! rounded inputs, rounded, to the bit; what is computed in 16 (`halves`), each operation rounded. Silent where the machine has
//! no device.

mod choice;
mod halves;
mod images;
mod kernels;
mod stored;

use half::f16;
use kernels::affine;
use windrow::{
    Configured, Tensor,
    opencl::{Context, ContextOptions, Device, Devices, Driver, Numerics, Precision},
};

fn devices() -> Vec<Device> {
    match Devices::find() {
        Ok(devices) => devices.iter().cloned().collect(),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    }
}

fn open(device: &Device, numerics: Numerics, precision: Precision) -> Context {
    let options = ContextOptions { numerics, precision, ..Default::default() };
    Context::with_options(&Driver::new(), device, &options).unwrap()
}

/// Devices whose floats are the reference's.
fn contexts() -> Vec<Context> {
    let is_exact = |device: &Device| device.floats.lacks(false).is_empty();
    devices().iter().filter(|device| is_exact(device)).map(|device| Context::new(device).unwrap()).collect()
}

/// Floats of all sizes that a half may have, and some beyond.
fn floats(seed: u32, extents: [usize; 2]) -> Tensor<f32> {
    let special = [0.0, -0.0, 1e-8, 6e-8, -3.05e-5, 65_504.0, 65_519.0, 65_520.0, -1e9, f32::INFINITY, f32::NAN];
    let mut state = seed;
    Tensor::from_fn(extents, |_| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let noise = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
        if noise.is_multiple_of(61) {
            return special[noise as usize / 61 % special.len()];
        }
        let size = 2f32.powi((noise >> 8) as i32 % 20 - 12);
        (noise >> 9) as f32 / (1 << 22) as f32 * if noise & 1 == 0 { size } else { -size }
    })
    .unwrap()
}

trait Rounded {
    /// As halves.
    fn rounded(&self) -> Self;
    /// Its bits; those of NaNs are all the same.
    fn bits(&self) -> Vec<u32>;
}

impl Rounded for Tensor<f32> {
    fn rounded(&self) -> Self {
        let halves = self.to_vec().into_iter().map(|float| f16::from_f32(float).to_f32());
        Tensor::from_vec(halves.collect(), [self.info().height(), self.info().width()]).unwrap()
    }

    fn bits(&self) -> Vec<u32> {
        self.to_vec().iter().map(|float| if float.is_nan() { u32::MAX } else { float.to_bits() }).collect()
    }
}

impl Rounded for Tensor<u8> {
    fn rounded(&self) -> Self {
        self.clone()
    }

    fn bits(&self) -> Vec<u32> {
        self.to_vec().into_iter().map(u32::from).collect()
    }
}

/// The configuration of `affine` for images of this size.
fn affine_of(size: [usize; 2]) -> Configured<affine> {
    let info = *Tensor::<f32>::new(size).unwrap().info();
    affine::configure(&info, 1.3, -0.7, &info).unwrap()
}
