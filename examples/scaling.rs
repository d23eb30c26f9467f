//! How runs scale: one thread against several, on large images and small ones, and a chain kernel by kernel against the same
//! chain in bands.
//!
//! `cargo run --release --example scaling`, on a machine with nothing else to do. Each line gives the least of several runs, in
//! milliseconds, and how many times faster than one thread that is.

use std::{error::Error, sync::Arc, time::Instant};

use windrow::{
    Border, Rayon, Scheduler, Split, Tensor, TensorInfo,
    chain::{self, ChainBuilder, Function, Whole},
    memory::Heap,
};
use windrow_operators::{abs_diff, gaussian3x3, gaussian5x5, median3x3};

const SIZE: usize = 4096;
const RUNS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let cores = std::thread::available_parallelism()?.get();
    let threads: Vec<usize> = [1, 2, 4, 8].into_iter().filter(|threads| *threads <= cores).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.min(8)).build()?;
    println!("{SIZE}×{SIZE} elements of 8 bits; threads: {threads:?} of {cores}");
    for (name, split) in [("static", Split::Static), ("dynamic", Split::DYNAMIC)] {
        let rayon = Rayon::on(&pool).with_split(split);
        println!("\n{name} split");
        kernels(&rayon, &threads)?;
    }
    println!("\nsmall images, as large as two threads are started for and larger");
    small(&Rayon::on(&pool), &threads)?;
    println!("\nfour blurs, each of the one before");
    chains(&Rayon::on(&pool), &threads)
}

fn kernels(rayon: &Rayon<'_>, threads: &[usize]) -> Result<(), Box<dyn Error>> {
    let (src, mut out) = (image(SIZE, SIZE)?, Tensor::<u8>::new([SIZE, SIZE])?);
    let (info, border) = (*src.info(), Border::Replicate);
    let (small, large) = (gaussian3x3::configure(&info, &info, border)?, gaussian5x5::configure(&info, &info, border)?);
    let (median, differ) = (median3x3::configure(&info, &info, border)?, abs_diff::configure(&info, &info, &info)?);
    line("abs_diff", rayon, threads, RUNS, |on| Ok(differ.run(on, (src.view(), src.view()), out.view_mut())?))?;
    line("gaussian3x3", rayon, threads, RUNS, |on| Ok(small.run(on, src.view(), out.view_mut())?))?;
    line("gaussian5x5", rayon, threads, RUNS, |on| Ok(large.run(on, src.view(), out.view_mut())?))?;
    line("median3x3", rayon, threads, RUNS, |on| Ok(median.run(on, src.view(), out.view_mut())?))
}

fn small(rayon: &Rayon<'_>, threads: &[usize]) -> Result<(), Box<dyn Error>> {
    for (width, height) in [(256, 128), (640, 480), (1920, 1080)] {
        let (src, mut out) = (image(width, height)?, Tensor::<u8>::new([width, height])?);
        let info = *src.info();
        let (blur, differ) =
            (gaussian3x3::configure(&info, &info, Border::Replicate)?, abs_diff::configure(&info, &info, &info)?);
        let name = |name: &str| format!("{name} {width}×{height}");
        line(&name("abs_diff"), rayon, threads, 99 * RUNS, |on| {
            Ok(differ.run(on, (src.view(), src.view()), out.view_mut())?)
        })?;
        line(&name("gaussian3x3"), rayon, threads, 99 * RUNS, |on| Ok(blur.run(on, src.view(), out.view_mut())?))?;
    }
    Ok(())
}

fn chains(rayon: &Rayon<'_>, threads: &[usize]) -> Result<(), Box<dyn Error>> {
    let (src, mut out) = (image(SIZE, SIZE)?, Tensor::<u8>::new([SIZE, SIZE])?);
    let whole = blurs(src.info())?.compose(&Whole::immediate(Arc::new(Heap)))?;
    let bands = blurs(src.info())?.compose(&chain::InBands { cache: chain::CACHE })?;
    for (name, chain) in [("kernel by kernel", &whole), ("in bands", &bands)] {
        line(name, rayon, threads, RUNS, |on| Ok(chain.run(on, &[src.view().any()], &mut [out.view_mut().any()])?))?;
    }
    Ok(())
}

fn blurs(info: &TensorInfo) -> Result<ChainBuilder, Box<dyn Error>> {
    let mut chain = ChainBuilder::new();
    let mut slot = chain.input(*info);
    for _ in 0..4 {
        [slot] = chain.add(&gaussian3x3::configure(info, info, Border::Replicate)?, &[slot])?;
    }
    chain.output(slot)?;
    Ok(chain)
}

fn image(width: usize, height: usize) -> Result<Tensor<u8>, Box<dyn Error>> {
    Ok(Tensor::from_fn([width, height], |x, y, _| (x * y / 97 + (x ^ y)) as u8)?)
}

/// The times for each number of threads, and how many times faster than one thread.
fn line(
    name: &str,
    rayon: &Rayon<'_>,
    threads: &[usize],
    runs: usize,
    mut run: impl FnMut(&dyn Scheduler) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    print!("{name:22}");
    let mut alone = None;
    for &threads in threads {
        rayon.set_num_threads(threads);
        let mut least = f64::MAX;
        for _ in 0..runs {
            let started = Instant::now();
            run(rayon)?;
            least = least.min(started.elapsed().as_secs_f64());
        }
        print!("  {:8.3} {:4.2}×", least * 1e3, *alone.get_or_insert(least) / least);
    }
    println!();
    Ok(())
}
