//! windrow's convolution beside its own product of the same size, on one thread: what reading the image in place costs, where a
//! product is given a matrix of windows that somebody has laid out.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release [--features avx512] --target-dir ../../../target/benches/products --bin convolutions
//! ```
//!
//! Each round runs both once, in turns; a figure is the median over rounds of (product's time / convolution's time), with
//! quartiles. Laying out the matrix is not counted.

use std::error::Error;
use std::time::Instant;
use windrow::Tensor;
use windrow_operators::{conv2d, depthwise_conv2d, matrix_product};

/// Rows and columns of the image, channels, outputs, rows and columns of the weights, stride: convolutions of ResNet-50.
const SHAPES: [[usize; 5]; 6] = [
    [56, 64, 64, 3, 1],
    [28, 128, 128, 3, 1],
    [14, 256, 256, 3, 1],
    [56, 64, 256, 1, 1],
    [14, 256, 1024, 1, 1],
    [56, 64, 128, 3, 2],
];
/// Rows and columns of the image, channels, stride: depthwise convolutions of MobileNet.
const DEPTHWISE: [[usize; 3]; 3] = [[112, 32, 1], [56, 128, 1], [14, 512, 1]];
const ROUNDS: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    for [side, channels, outputs, size, stride] in SHAPES {
        let of = |count: usize| (0..count).map(|i| (i * 7 % 11) as f32 / 4.0 - 1.0).collect::<Vec<f32>>();
        let src = Tensor::from_vec(of(side * side * channels), [1, side, side, channels])?;
        let weights = Tensor::from_vec(of(size * size * channels * outputs), [size, size, channels, outputs])?;
        let bias = Tensor::<f32>::new([outputs])?;
        let (strides, pad) = ([stride as i32; 2], [(size / 2) as i32; 4]);
        let rows = (side + 2 * (size / 2) - size) / stride + 1;
        let mut out = Tensor::<f32>::new([1, rows, rows, outputs])?;
        let inner = size * size * channels;
        let (a, b) = (Tensor::from_vec(of(rows * rows * inner), [rows * rows, inner])?, of(inner * outputs));
        let b = Tensor::from_vec(b, [inner, outputs])?;
        let mut product = Tensor::<f32>::new([rows * rows, outputs])?;
        let times = times(
            || Ok(conv2d::apply_into(&src, &weights, &bias, strides, [1, 1], pad, &mut out)?),
            || Ok(matrix_product::apply_into(&a, &b, &mut product)?),
        )?;
        let billions = 2.0 * (rows * rows * inner * outputs) as f64 / 1e9;
        let [low, middle, high] = quartiles(times.iter().map(|[own, other]| other / own).collect());
        let [_, own, _] = quartiles(times.iter().map(|[own, _]| *own).collect());
        let gflops = billions / own;
        println!("{side}² x {channels} -> {outputs}, {size} x {size} / {stride}: {gflops:.0} GFLOP/s | product {middle:.2} ({low:.2} - {high:.2})");
    }
    for [side, channels, stride] in DEPTHWISE {
        let src = Tensor::from_vec(vec![0.5f32; side * side * channels], [1, side, side, channels])?;
        let (weights, bias) = (Tensor::from_vec(vec![0.25f32; 9 * channels], [3, 3, channels])?, Tensor::<f32>::new([channels])?);
        let mut out = Tensor::<f32>::new([1, side, side, channels])?;
        let mut run = || Ok(depthwise_conv2d::apply_into(&src, &weights, &bias, [stride as i32; 2], [1, 1], [1; 4], &mut out)?);
        let times = times(&mut run, || Ok(()))?;
        let [_, own, _] = quartiles(times.iter().map(|[own, _]| *own).collect());
        println!("{side}² x {channels}, depthwise: {:.1} GFLOP/s", 18.0 * (side * side * channels) as f64 / 1e9 / own);
    }
    Ok(())
}

/// Seconds of each round.
fn times(
    mut one: impl FnMut() -> Result<(), Box<dyn Error>>,
    mut other: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<Vec<[f64; 2]>, Box<dyn Error>> {
    let mut both: [&mut dyn FnMut() -> Result<(), Box<dyn Error>>; 2] = [&mut one, &mut other];
    let mut times = vec![[0.0; 2]; ROUNDS];
    for (round, times) in times.iter_mut().enumerate() {
        for turn in [round % 2, 1 - round % 2] {
            both[turn]()?;
            let start = Instant::now();
            both[turn]()?;
            times[turn] = start.elapsed().as_secs_f64();
        }
    }
    Ok(times)
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[values.len() * quarter / 4])
}
