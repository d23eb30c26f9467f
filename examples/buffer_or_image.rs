//! What a device takes for a kernel that reads buffers, and for the same one that reads images through samplers: by its own
//! clock, each at the best of a few work-groups, in interleaved rounds.
//!
//! `cargo run --release --example buffer_or_image [-- SIDE]`: images of SIDE × SIDE elements, by default 1024.

use std::{error::Error, time::Duration};
use windrow::{
    Border, Configured, Kernel, Tensor,
    opencl::{
        Context, DeviceImage, DeviceMemory, LocalSize, MemMode, OpenClError, OpenClKernel, SampledImage, Storage,
    },
};
use windrow_operators::{box3x3, erode3x3, gaussian3x3, gaussian5x5, median3x3, non_linear_box5};

const ROUNDS: usize = 41;
const LOCALS: [LocalSize; 4] =
    [LocalSize::Fixed(32, 1), LocalSize::Fixed(32, 4), LocalSize::Fixed(64, 4), LocalSize::Fixed(16, 8)];

fn main() -> Result<(), Box<dyn Error>> {
    let context = match Context::open() {
        Ok(context) if context.device().images.is_some() => context,
        Ok(context) => {
            println!("not run: {} has no images", context.device());
            return Ok(());
        }
        Err(error) if error.is_absence() => {
            println!("not run: {error}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let side = std::env::args().nth(1).map_or(Ok(1024), |side| side.parse())?;
    let image = Tensor::<u8>::from_fn([side, side], |[y, x]| (x * 31 + y * 57 + x * y % 7) as u8)?;
    let (info, border) = (image.info(), Border::Replicate);
    let bench = Bench::new(&context, &image)?;
    println!("{} of {side}×{side}; milliseconds on the device, medians of {ROUNDS} rounds", context.device().name);
    println!("{:20} {:>9} {:>9}   image, of buffer", "", "buffer", "image");
    bench.compare("gaussian3x3", &gaussian3x3::configure(info, info, border)?)?;
    bench.compare("gaussian5x5", &gaussian5x5::configure(info, info, border)?)?;
    bench.compare("box3x3", &box3x3::configure(info, info, border)?)?;
    bench.compare("erode3x3", &erode3x3::configure(info, info, border)?)?;
    bench.compare("median3x3", &median3x3::configure(info, info, border)?)?;
    bench
        .compare("non_linear_box5", &non_linear_box5::configure(info, windrow::prelude::Rank::Median, info, border)?)?;
    Ok(())
}

/// An image in a buffer and in an image, and room for two results.
struct Bench<'c> {
    context: &'c Context,
    memory: DeviceMemory,
    source: DeviceImage,
    sampled: SampledImage,
    results: [DeviceImage; 2],
}

impl<'c> Bench<'c> {
    fn new(context: &'c Context, image: &Tensor<u8>) -> Result<Self, OpenClError> {
        let memory = DeviceMemory::new(context);
        let room = || DeviceImage::new(context, image.info());
        Ok(Self {
            context,
            source: DeviceImage::upload(context, &image.view().any())?,
            sampled: SampledImage::upload(&memory, &image.view().any(), Storage::Dynamic)?,
            results: [room()?, room()?],
            memory,
        })
    }

    fn compare<K: Kernel>(&self, name: &str, configured: &Configured<K>) -> Result<(), Box<dyn Error>> {
        let mut best = [f64::INFINITY; 2];
        for local in LOCALS {
            let kernel = |mode| -> Result<_, OpenClError> {
                let kernel = OpenClKernel::new(self.context, configured.clone())?.with_local_size(local)?;
                kernel.with_memory(&self.memory, mode)
            };
            let (buffers, images) = (kernel(MemMode::Buffer)?, kernel(MemMode::Image)?);
            let [from_buffers, from_images] = self.results.each_ref().map(|result| [Some(result.clone())]);
            let source = std::slice::from_ref(&self.source);
            self.context.set_profiling(true)?;
            for _ in 0..=ROUNDS {
                buffers.run_on(source, &[], &from_buffers)?;
                images.run_on_images(std::slice::from_ref(&self.sampled), &[], &from_images)?;
            }
            self.context.set_profiling(false)?;
            let times: Vec<Duration> =
                self.context.profiler().take()?.launches.iter().map(|launch| launch.timestamps.run()).collect();
            // The first of each finds what is cold.
            for (form, best) in best.iter_mut().enumerate() {
                *best = best.min(median(times[2..].iter().skip(form).step_by(2)));
            }
        }
        println!("{name:20} {:9.3} {:9.3}   {:.2}", best[0], best[1], best[1] / best[0]);
        Ok(())
    }
}

/// In milliseconds.
fn median<'t>(times: impl Iterator<Item = &'t Duration>) -> f64 {
    let mut times: Vec<Duration> = times.copied().collect();
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
