//! What the tests of devices share: two kernels, images, and every device that the machine has.

use windrow::{
    Tensor, ValidRegion,
    opencl::{Context, Device, DeviceImage, Devices, Driver},
    prelude::*,
};

/// The distance of two elements, and a level that repeats.
#[kernel]
pub fn distance(a: u8, b: u8, level: u8) -> u8 {
    a.abs_diff(b).max(level)
}

/// Adds in place.
#[kernel]
pub fn add_to(#[inout] sum: u8, #[uniform] by: u8) -> u8 {
    sum.wrapping_add(by)
}

pub fn image(seed: usize, extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |[y, x]| (x * 31 + y * 57 + seed * 101 + (x * y) % 7) as u8).unwrap()
}

pub fn devices() -> Vec<Device> {
    match Devices::find() {
        Ok(devices) => devices.iter().cloned().collect(),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    }
}

pub fn contexts() -> Vec<Context> {
    devices().iter().map(|device| Context::with_driver(&Driver::new(), device).unwrap()).collect()
}

/// Those whose driver lets the host end an event: PoCL's `basic` device locks up in `clSetUserEventStatus`.
pub fn contexts_with_gates() -> Vec<Context> {
    contexts().into_iter().filter(|context| !context.device().name.starts_with("basic")).collect()
}

/// The arguments of [`distance`] on the host, and what it gives.
pub struct Case {
    pub a: Tensor<u8>,
    pub b: Tensor<u8>,
    pub level: Tensor<u8>,
    pub expected: Vec<u8>,
}

impl Case {
    pub fn new(extents: [usize; 2], level: [usize; 2]) -> Self {
        let [a, b, level] = [image(1, extents), image(2, extents), image(3, level)];
        let mut out = Tensor::new(extents).unwrap();
        configured(&a, &b, &level).run_reference((a.view(), b.view(), level.view()), out.view_mut()).unwrap();
        let expected = out.to_vec();
        Self { a, b, level, expected }
    }

    pub fn configured(&self) -> windrow::Configured<distance> {
        configured(&self.a, &self.b, &self.level)
    }

    pub fn upload(&self, context: &Context) -> [DeviceImage; 3] {
        [&self.a, &self.b, &self.level].map(|image| DeviceImage::upload(context, &image.view().any()).unwrap())
    }
}

pub fn configured(a: &Tensor<u8>, b: &Tensor<u8>, level: &Tensor<u8>) -> windrow::Configured<distance> {
    distance::configure(a.info(), b.info(), level.info(), a.info()).unwrap()
}

pub fn read(image: &DeviceImage) -> Vec<u8> {
    let shape = image.info().shape();
    let mut out = Tensor::<u8>::new([shape.height(), shape.width()]).unwrap();
    image.download(&ValidRegion::whole(shape), &mut out.view_mut().any()).unwrap();
    out.to_vec()
}
