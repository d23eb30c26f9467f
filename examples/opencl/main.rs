//! A photograph on a device and on the processor in one pipeline, in memory that both use where it lies: half scale and
//! median on OpenCL, Gaussian on the processor. Prints what each step takes, and what starting does.
//!
//! `cargo run --release --example opencl [PICTURE] [--device WHICH] [--size N]`

mod measure;

use std::{error::Error, path::PathBuf, slice, time::Instant};

use clap::Parser;
use measure::Table;
use windrow::{
    Border, Configured, Rayon, Tensor, ValidRegion,
    opencl::{Context, DeviceChoice, DeviceImage, Devices, MapAccess, OpenClKernel},
};
use windrow_operators::{gaussian5x5, half_scale_gaussian5x5, median3x3};

/// Half scale and median on a device, Gaussian on the processor.
#[derive(Parser)]
struct Arguments {
    /// A PNG or a JPEG.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/images/astronaut.png"))]
    picture: PathBuf,
    /// An index, `platform:device`, or a part of a name; else what `WINDROW_OPENCL_DEVICE` says.
    #[arg(long)]
    device: Option<String>,
    /// Measures on a picture of this width and height, made of the photograph repeated.
    #[arg(long)]
    size: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let devices = match Devices::find() {
        Ok(devices) => devices,
        Err(error) if error.is_absence() => {
            println!("not run: {error}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let device = match &arguments.device {
        Some(wanted) => devices.pick(&DeviceChoice::parse(wanted))?,
        None => devices.choose()?,
    };
    let context = Context::with_driver(devices.driver(), device)?;
    let photograph = load(&arguments)?;
    let [width, height] = [photograph.shape().width(), photograph.shape().height()];
    println!("{width}×{height} on {device} ({:?}, {:?})\n", device.family(), device.level());
    develop(&context, &photograph)
}

/// The photograph in grey, repeated where a size is asked for.
fn load(arguments: &Arguments) -> Result<Tensor<u8>, Box<dyn Error>> {
    let grey = image::open(&arguments.picture)?.to_luma8();
    let [width, height] = [grey.width(), grey.height()];
    let extents = arguments.size.map_or([height as usize, width as usize], |size| [size; 2]);
    let at = |x: usize, y: usize| grey.get_pixel((x % width as usize) as u32, (y % height as usize) as u32).0[0];
    Ok(Tensor::from_fn(extents, |[y, x]| at(x, y))?)
}

fn develop(context: &Context, photograph: &Tensor<u8>) -> Result<(), Box<dyn Error>> {
    let mut table = Table::default();
    let half_shape = [photograph.shape().height().div_ceil(2), photograph.shape().width().div_ceil(2)];
    let half_info = *Tensor::<u8>::new(half_shape)?.info();
    let border = Border::Replicate;
    let configured = (
        half_scale_gaussian5x5::configure(photograph.info(), &half_info, border)?,
        median3x3::configure(&half_info, &half_info, border)?,
        gaussian5x5::configure(&half_info, &half_info, border)?,
    );

    let half_scale = table.time("half scale: build", || OpenClKernel::new(context, configured.0.clone()))?;
    let median = table.time("median: build", || OpenClKernel::new(context, configured.1.clone()))?;
    table.time("median: build again", || OpenClKernel::new(context, configured.1.clone()))?;
    let source = table.time("upload", || DeviceImage::upload(context, &photograph.view().any()))?;
    let [half, cleaned, smooth] = [(); 3].map(|()| DeviceImage::new(context, &half_info));
    let (half, cleaned, smooth) = (half?, cleaned?, smooth?);

    let run = || {
        half_scale.run_on(slice::from_ref(&source), &[], &[Some(half.clone())])?;
        median.run_on(slice::from_ref(&half), &[], &[Some(cleaned.clone())])?;
        context.sync()
    };
    table.time("half scale and median: first run", run)?;
    table.repeat("half scale and median", run)?;
    let kernels = |count: usize| {
        (0..count).try_for_each(|_| median.run_on(slice::from_ref(&half), &[], &[Some(cleaned.clone())]))?;
        context.sync()
    };
    table.each("median alone, of 50 in a row", 50, || kernels(50))?;

    // The processor goes on where the device stopped: nothing is given to it that is not mapped.
    let read = table.time("map to read", || cleaned.map(MapAccess::Read))?;
    let mut write = table.time("map to overwrite", || smooth.map(MapAccess::Overwrite))?;
    let missing = "an image that is mapped to be read only";
    let out = write.view_mut().ok_or(missing)?.typed::<u8>()?;
    let started = Instant::now();
    configured.2.run(&Rayon::default(), read.view().typed::<u8>()?, out)?;
    table.add("Gaussian on the processor", started.elapsed());
    table.time("give both back", || read.unmap().and_then(|()| write.unmap()))?;

    let mut found = Tensor::<u8>::new(half_shape)?;
    let whole = ValidRegion::whole(found.shape());
    table.time("download", || smooth.download(&whole, &mut found.view_mut().any()))?;
    check(photograph, &configured, &found)?;
    print!("{table}");
    let counters = context.driver().counters();
    println!(
        "\nequal to the author's functions; {} builds, {} allocations, {} transfers, {} launches",
        counters.builds(),
        counters.allocations(),
        counters.transfers(),
        counters.launches()
    );
    Ok(())
}

/// The same with the author's own functions.
fn check(
    photograph: &Tensor<u8>,
    configured: &(Configured<half_scale_gaussian5x5>, Configured<median3x3>, Configured<gaussian5x5>),
    found: &Tensor<u8>,
) -> Result<(), Box<dyn Error>> {
    let shape = [found.shape().height(), found.shape().width()];
    let [mut half, mut cleaned, mut smooth] = [Tensor::<u8>::new(shape)?, Tensor::new(shape)?, Tensor::new(shape)?];
    configured.0.run_reference(photograph.view(), half.view_mut())?;
    configured.1.run_reference(half.view(), cleaned.view_mut())?;
    configured.2.run_reference(cleaned.view(), smooth.view_mut())?;
    if smooth.to_vec() == found.to_vec() {
        Ok(())
    } else {
        Err("the results differ from the author's functions".into())
    }
}
