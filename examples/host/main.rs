//! A host that brings its own threads and its own memory: `cargo run --release --example host`.
//!
//! Windrow's core allocates nothing and starts no thread, and its runtime can be replaced. Here a crew of the host's threads
//! takes parts as they come, composite functions draw their intermediates from the host's arena, and a kernel written by hand is
//! scheduled like every other one.

mod histogram;
mod memory;

use std::{error::Error, sync::Arc, thread};

use histogram::{BINS, Histogram};
use memory::Arena;
use windrow::{
    Border, Scheduler, Serial, Split, Tensor, TensorInfo,
    chain::{self, Function, Whole},
    memory::{Allocation, Allocator, MemoryManager, Planner},
    schedule::{DynKernel, Parts, SCRATCH_ALIGNMENT, ScheduleError, ScratchLine, ThreadInfo, schedule},
};
use windrow_operators::{
    abs_diff, erode3x3,
    functions::{GaussianPyramid, Levels, UnsharpMask, UnsharpSettings},
    gaussian3x3, threshold,
};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// The host's threads: each run is cut into more parts than there are threads, which take the next one when they are done.
struct Crew {
    threads: usize,
}

impl Scheduler for Crew {
    fn num_threads(&self) -> usize {
        self.threads
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
        Ok(())
    }

    fn split(&self) -> Split {
        Split::DYNAMIC
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let crew = Crew { threads: thread::available_parallelism()?.get() };
    let image = Tensor::from_fn([HEIGHT, WIDTH], |[y, x]| (x * y / 97 + (x ^ y)) as u8)?;
    sharpen(&crew, &image)?;
    halve(&crew, &image)?;
    count(&crew, &image)?;
    loop_over_kernels(&image)
}

/// An unsharp mask whose intermediates lie in the host's arena, for two runs at a time.
fn sharpen(crew: &Crew, image: &Tensor<u8>) -> Result<(), Box<dyn Error>> {
    let arena = Arc::new(Arena::new(4 << 20));
    let allocator: Arc<dyn Allocator> = arena.clone();
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let mut weights = Allocation::new(&allocator, TensorInfo::of::<f32>(&[5, 5])?)?;
    let mut view = weights.view_mut().typed::<f32>()?;
    for y in 0..5 {
        view.row_mut(y).ok_or("five rows")?.fill(1.0);
    }
    let settings = UnsharpSettings { amount: 256, border: Border::Reflect101 };
    let mask = UnsharpMask::configure(image.info(), weights, settings, &Whole::managed(manager.clone()))?;
    mask.prepare()?;
    manager.populate(allocator, 2)?;
    let (mut sharp, mut expect) = (Tensor::<u8>::new([HEIGHT, WIDTH])?, Tensor::<u8>::new([HEIGHT, WIDTH])?);
    mask.run(crew, &[image.view().any()], &mut [sharp.view_mut().any()])?;
    mask.run(&Serial, &[image.view().any()], &mut [expect.view_mut().any()])?;
    assert!(sharp.storage() == expect.storage(), "the crew computes what one thread computes");
    println!("unsharp mask: {:?}, the arena has given {} bytes", manager.counters(), arena.used().0);
    manager.clear()?;
    assert_eq!(arena.used().0, 0);
    Ok(())
}

/// A pyramid in bands: its intermediates stay in each thread's cache.
fn halve(crew: &Crew, image: &Tensor<u8>) -> Result<(), Box<dyn Error>> {
    let bands = chain::InBands { cache: chain::CACHE };
    let pyramid = GaussianPyramid::configure(image.info(), Levels::Coarsest(3), Border::Replicate, &bands)?;
    let coarsest = *pyramid.level(0).ok_or("one level")?;
    let mut small = Tensor::<u8>::new([coarsest.height(), coarsest.width()])?;
    pyramid.run(crew, &[image.view().any()], &mut [small.view_mut().any()])?;
    println!("pyramid: {} from {}", small.shape(), image.shape());
    Ok(())
}

/// A kernel written by hand, with scratch for each thread.
fn count(crew: &Crew, image: &Tensor<u8>) -> Result<(), Box<dyn Error>> {
    let bins = [const { std::sync::atomic::AtomicU32::new(0) }; BINS];
    schedule(crew, &mut Histogram::new(image.view(), &bins))?;
    let bins = bins.map(|bin| bin.into_inner());
    assert_eq!(bins.iter().sum::<u32>() as usize, WIDTH * HEIGHT);
    println!("histogram: {} of {} bins hold something", bins.iter().filter(|bin| **bin > 0).count(), BINS);
    Ok(())
}

/// The host's own loop: it knows nothing of the kernels but their windows.
fn loop_over_kernels(image: &Tensor<u8>) -> Result<(), Box<dyn Error>> {
    let (info, border) = (*image.info(), Border::Replicate);
    let blank = || Tensor::<u8>::new([HEIGHT, WIDTH]);
    let (mut blurred, mut eroded, mut apart, mut edges) = (blank()?, blank()?, blank()?, blank()?);
    let blur = gaussian3x3::configure(&info, &info, border)?;
    let erode = erode3x3::configure(&info, &info, border)?;
    let differ = abs_diff::configure(&info, &info, &info)?;
    let select = threshold::configure(&info, 40, 255, 0, &info)?;
    let bins = [const { std::sync::atomic::AtomicU32::new(0) }; BINS];
    let mut kernels: [Box<dyn DynKernel + '_>; 5] = [
        Box::new(blur.bind(image.view(), blurred.view_mut())?),
        Box::new(erode.bind(image.view(), eroded.view_mut())?),
        Box::new(differ.bind((image.view(), image.view()), apart.view_mut())?),
        Box::new(select.bind(image.view(), edges.view_mut())?),
        Box::new(Histogram::new(image.view(), &bins)),
    ];
    for kernel in &mut kernels {
        let lines = kernel.scratch_per_thread().div_ceil(SCRATCH_ALIGNMENT);
        let mut scratch = vec![ScratchLine::ZERO; lines];
        let parts = Parts::new(&mut **kernel, 8);
        while let Some(part) = parts.next() {
            part.run(&mut ThreadInfo { id: 0, threads: 1, scratch: ScratchLine::bytes(&mut scratch) })?;
        }
        println!("by hand: {} parts of {} done", parts.done(), parts.count());
    }
    Ok(())
}
