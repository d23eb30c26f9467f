//! Blurs a photo on an OpenCL device: `cargo run --release --features opencl --example blur_on_device`.
use windrow::{interop::image::view, opencl::Gpu, prelude::*};
use windrow_operators::gaussian5x5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open("examples/images/astronaut.png")?.to_luma8();
    let gpu = Gpu::open()?;
    let on_gpu = gpu.upload(view(&photo)?)?;
    let blurred = gaussian5x5::apply(&on_gpu, Border::Replicate)?.download()?;
    assert_eq!(blurred.to_vec(), gaussian5x5::apply(&photo, Border::Replicate)?.into_raw());
    println!("the device and the processor agree on {} pixels", blurred.to_vec().len());
    Ok(())
}
