//! One operator on the processor, on a device, and on both at once, shared out by measured rates: what each takes, in
//! interleaved rounds, on the host's own images, so that a device's times hold the way there and back.
//!
//! `cargo run --release --example sharing [-- SIDE …]`: images of SIDE × SIDE elements, by default 2048.

use std::{
    error::Error,
    time::{Duration, Instant},
};
use windrow::{
    Border, Configured, Kernel, Rayon, Tensor, View, ViewMut,
    opencl::{Context, OpenClKernel, SplitKernel},
};
use windrow_operators::{gaussian5x5, median3x3, non_linear_box5};

/// Rounds at least, and the time that a case takes at least.
const ROUNDS: usize = 41;
const ENOUGH: Duration = Duration::from_secs(1);
/// Rounds that fill caches and pools, and in which the ways are tried.
const WARM: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let context = match Context::open() {
        Ok(context) => context,
        Err(error) if error.is_absence() => {
            println!("not run: {error}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let cores = std::thread::available_parallelism()?;
    println!("{} and {cores} threads; milliseconds, medians", context.device().name);
    println!("{:60}{:18}{:12}both chose the", "", "both, of the", "processor,");
    println!(
        "{:24} {:>9} {:>9} {:>9}   {:18}{:12}processor · device · both",
        "", "processor", "device", "both", "better alone", "again"
    );
    let sides: Vec<usize> = std::env::args().skip(1).map(|side| side.parse()).collect::<Result<_, _>>()?;
    for side in if sides.is_empty() { vec![2048] } else { sides } {
        let image = Tensor::<u8>::from_fn([side, side], |[y, x]| (x * 31 + y * 57 + x * y % 7) as u8)?;
        let (info, border) = (image.info(), Border::Replicate);
        let rank = windrow::prelude::Rank::Median;
        compare("gaussian5x5", &context, &image, &gaussian5x5::configure(info, info, border)?)?;
        compare("median3x3", &context, &image, &median3x3::configure(info, info, border)?)?;
        compare("non_linear_box5", &context, &image, &non_linear_box5::configure(info, rank, info, border)?)?;
    }
    Ok(())
}

fn compare<K>(
    name: &str,
    context: &Context,
    image: &Tensor<u8>,
    configured: &Configured<K>,
) -> Result<(), Box<dyn Error>>
where
    K: for<'v> Kernel<Inputs<'v> = View<'v, u8>, Outputs<'v> = ViewMut<'v, u8>>,
{
    let (rayon, device) = (Rayon::new(), OpenClKernel::new(context, configured.clone())?);
    let both = SplitKernel::new(std::slice::from_ref(context), configured)?;
    let side = image.info().width();
    let (mut output, mut expected) = (Tensor::<u8>::new([side, side])?, Tensor::<u8>::new([side, side])?);
    configured.run(&rayon, image.view(), expected.view_mut())?;
    let mut times = [const { Vec::new() }; 4];
    let mut ways = [0; 3];
    let begun = Instant::now();
    for round in 0.. {
        let is_last = round >= WARM + ROUNDS && begun.elapsed() > ENOUGH;
        // All write the same memory. The second run counts: it finds threads awake and caches as the same way leaves them.
        // Every other round goes backwards, so that what follows the device in one goes before it in the next.
        let order = if round % 2 == 0 { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
        for (way, is_second) in order.into_iter().flat_map(|way| [(way, false), (way, true)]) {
            let alone = both.shares().iter().position(|&share| share == 1.0);
            let begun = Instant::now();
            match way {
                1 => device.run(image.view(), output.view_mut())?,
                2 => both.run(&rayon, image.view(), output.view_mut())?,
                _ => configured.run(&rayon, image.view(), output.view_mut())?,
            }
            if is_second && round >= WARM {
                times[way].push(begun.elapsed().as_secs_f64() * 1e3);
                ways[alone.unwrap_or(2)] += usize::from(way == 2);
            }
            if round == 0 || is_last {
                let is_equal = (0..side).all(|y| output.view().row(y) == expected.view().row(y));
                assert!(is_equal, "{name}: results differ");
            }
        }
        if is_last {
            break;
        }
    }
    let [processor, device, shared] = [0, 1, 2].map(|way| quartiles(times[way].clone())[1]);
    let of = |way: usize, other: usize| quartiles(times[way].iter().zip(&times[other]).map(|(a, b)| a / b).collect());
    let [low, ratio, high] = of(2, usize::from(device < processor));
    println!(
        "{:24} {processor:9.3} {device:9.3} {shared:9.3}   {ratio:.2} [{low:.2}, {high:.2}] {:>6.2}      {} of {}",
        format!("{name} {side}×{side}"),
        of(3, 0)[1],
        ways.map(|runs| runs.to_string()).join(" · "),
        times[0].len(),
    );
    Ok(())
}

/// The first quartile, the median and the third.
fn quartiles(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| times[times.len() * quarter / 4])
}
