//! Finds edges on an OpenCL device: `cargo run --release --features opencl --example edges_on_device`.
use windrow::{Error, interop::image::view, opencl::Gpu, prelude::*};
use windrow_operators::{gaussian3x3, magnitude, sobel3x3};

#[pipeline]
fn edges(src: &Tensor<u8>) -> Result<Tensor<i16>, Error> {
    let blurred = gaussian3x3::apply(src, Border::Replicate)?;
    let (dx, dy) = sobel3x3::apply(&blurred, Border::Replicate)?;
    magnitude::apply(&dx, &dy)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photo = image::open("examples/images/astronaut.png")?.to_luma8();
    let gpu = Gpu::open()?;
    let found = edges::apply(&gpu.upload(view(&photo)?)?)?.download()?;
    assert_eq!(found.to_vec(), edges::apply(view(&photo)?)?.to_vec());
    println!("the device and the processor agree on the edges of {} pixels", found.to_vec().len());
    Ok(())
}
