//! Blurs a photo on an OpenCL device: `cargo run --release --features opencl --example blur_on_device`.
use windrow::{interop::image::view, opencl::*, prelude::*};
use windrow_operators::gaussian5x5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open("examples/images/astronaut.png")?.to_luma8();
    let photo = view(&photo)?;
    let mut blurred = Tensor::<u8>::new([photo.info().width(), photo.info().height()])?;
    let kernel = gaussian5x5::configure(photo.info(), blurred.info(), Border::Replicate)?;
    OpenClKernel::new(&Context::open()?, kernel)?.run(photo, blurred.view_mut())?;
    assert_eq!(blurred.to_vec(), gaussian5x5::apply(photo, Border::Replicate)?.to_vec());
    println!("the device and the processor agree on {} pixels", blurred.to_vec().len());
    Ok(())
}
