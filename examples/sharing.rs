//! One operator on the processor, on a device, and on both at once, shared out by measured rates: what each takes, in
//! interleaved rounds, on the host's own images, so that a device's times hold the way there and back.
//!
//! `cargo run --release --example sharing [-- SIDE …]`: images of SIDE × SIDE elements, by default 2048.

use std::{error::Error, time::Instant};
use windrow::{
    Border, Configured, Kernel, Rayon, Tensor, View, ViewMut,
    opencl::{Context, OpenClKernel, SplitKernel},
};
use windrow_operators::{gaussian5x5, median3x3, non_linear_box5};

const ROUNDS: usize = 41;
/// Runs that fill caches and pools, and let the rates settle.
const WARM: usize = 8;

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
    println!("{} and {cores} threads; milliseconds, medians of {ROUNDS} rounds", context.device().name);
    println!("{:32} {:>9} {:>9} {:>9}   both, of the better alone", "", "processor", "device", "both");
    let sides: Vec<usize> = std::env::args().skip(1).map(|side| side.parse()).collect::<Result<_, _>>()?;
    for side in if sides.is_empty() { vec![2048] } else { sides } {
        let image = Tensor::<u8>::from_fn([side, side], |x, y, _| (x * 31 + y * 57 + x * y % 7) as u8)?;
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
    let mut times = [const { Vec::new() }; 3];
    for round in 0..WARM + ROUNDS {
        // All write the same memory. The second run counts: it finds threads awake and caches as the same way leaves them.
        // Every other round goes backwards, so that the processor alone and both follow the device equally often.
        let order = if round % 2 == 0 { [0, 1, 2] } else { [2, 1, 0] };
        for (way, is_timed) in order.into_iter().flat_map(|way| [(way, false), (way, true)]) {
            let begun = Instant::now();
            match way {
                0 => configured.run(&rayon, image.view(), output.view_mut())?,
                1 => device.run(image.view(), output.view_mut())?,
                _ => both.run(&rayon, image.view(), output.view_mut())?,
            }
            if is_timed && round >= WARM {
                times[way].push(begun.elapsed().as_secs_f64() * 1e3);
            }
            if round == 0 || round + 1 == WARM + ROUNDS {
                let is_equal = (0..side).all(|y| output.view().row(y) == expected.view().row(y));
                assert!(is_equal, "{name}: results differ");
            }
        }
    }
    let [processor, device, shared] = times.map(median);
    let better = processor.min(device);
    let rates: Vec<String> =
        both.rates().iter().map(|rate| rate.map_or("–".into(), |rate| format!("{rate:.0}"))).collect();
    println!(
        "{:32} {processor:9.3} {device:9.3} {shared:9.3}   {:.2}   (rows a second: {})",
        format!("{name} {side}×{side}"),
        shared / better,
        rates.join(", ")
    );
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
