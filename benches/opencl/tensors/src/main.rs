//! Kernels over tensors, and pipelines, on an OpenCL device: what part of a copy's bandwidth each reaches, by the device's clock.
//!
//! ```text
//! cargo run --release --target-dir ../../../target/benches/tensors -- [PATH OF libclblast.so.1]
//! ```
//!
//! Each round launches everything once, in turn, after a round that is not timed. A figure is the median over the rounds, with quartiles, of
//! the least time that the bytes take in that round, each input read and each output written once at the copy's bandwidth, as a part of the
//! time taken. Pipelines are the sum of their launches. What is computed is compared elsewhere. The product of matrices is given in
//! floating-point operations a second; CLBlast's beside it is timed by the host's clock.

mod clblast;
mod pipelines;

use std::error::Error;
use windrow::opencl::{Argument, DeviceTensor, Gpu, ProgramSource, SourceKernel};
use windrow::{Border, Element, Tensor};
use windrow_operators as op;

const ROUNDS: usize = 41;
const SIDE: usize = 16384;
const COPY: &str = "__kernel void copy(__global const uint4 *from, __global uint4 *to)
    { to[get_global_id(0)] = from[get_global_id(0)]; }";

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// What is timed: its name, the bytes that it has to move, and a run of it.
struct Case<'a> {
    name: &'static str,
    bytes: usize,
    run: Box<dyn FnMut() -> Outcome + 'a>,
}

fn main() -> Outcome {
    let gpu = Gpu::open()?;
    println!("{}", gpu.context().device());
    gpu.context().set_profiling(true)?;
    let only: Vec<String> = std::env::args().skip(1).filter(|word| !word.contains('/')).collect();
    let mut cases = vec![copy(&gpu)?];
    cases.extend(of_rows(&gpu)?);
    cases.extend(of_images(&gpu)?);
    cases.extend(of_networks(&gpu)?);
    cases.extend(of_pipelines(&gpu)?);
    cases.retain(|case| case.name == "copy" || only.is_empty() || only.iter().any(|word| case.name.contains(word)));
    measure(&gpu, &mut cases)?;
    let library = std::env::args().skip(1).find(|word| word.contains('/'));
    clblast::products(&gpu, library.as_deref())
}

/// Times all cases, and prints a line for each.
fn measure(gpu: &Gpu, cases: &mut [Case<'_>]) -> Outcome {
    let mut times = vec![Vec::with_capacity(ROUNDS); cases.len()];
    let mut launches = vec![Vec::new(); cases.len()];
    for round in 0..=ROUNDS {
        for (place, case) in cases.iter_mut().enumerate() {
            (case.run)()?;
            let profile = gpu.context().profiler().take()?;
            let each =
                profile.launches.into_iter().map(|launch| (launch.timestamps.run().as_secs_f64(), launch.kernel));
            let each: Vec<(f64, String)> = each.collect();
            if round > 0 {
                times[place].push(each.iter().map(|(seconds, _)| seconds).sum());
            }
            // Those of the last round stand for all.
            launches[place] = each;
        }
    }
    let copied: Vec<f64> = times[0].iter().map(|seconds| cases[0].bytes as f64 / seconds).collect();
    println!("a copy: {:.2} TB/s", quartiles(copied.clone())[1] / 1e12);
    for ((case, times), launches) in cases.iter().zip(&times).zip(&launches) {
        let parts = times.iter().zip(&copied).map(|(seconds, copied)| 100.0 * case.bytes as f64 / copied / seconds);
        let [low, middle, high] = quartiles(parts.collect());
        let micros = quartiles(times.clone())[1] * 1e6;
        let launches = launches.iter().map(|(seconds, kernel)| format!("{kernel} {:.0}", seconds * 1e6));
        let launches = launches.collect::<Vec<_>>().join(", ");
        println!("| {} | {micros:.0} µs | {middle:.1} % ({low:.1} – {high:.1}) | {launches} |", case.name);
    }
    Ok(())
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[values.len() * quarter / 4])
}

/// A tensor on the device, of numbers of which no two neighbours are alike.
fn filled<T: Element, const R: usize>(
    gpu: &Gpu,
    extents: [usize; R],
    number: impl Fn(usize) -> T,
) -> Outcome<DeviceTensor<T>> {
    let elements =
        (0..extents.iter().product()).map(|index: usize| number(index.wrapping_mul(0x9e37_79b9) >> 7)).collect();
    Ok(gpu.upload(&Tensor::from_vec(elements, extents)?)?)
}

fn bytes<const R: usize>(gpu: &Gpu, extents: [usize; R]) -> Outcome<DeviceTensor<u8>> {
    filled(gpu, extents, |index| index as u8)
}

fn floats<const R: usize>(gpu: &Gpu, extents: [usize; R]) -> Outcome<DeviceTensor<f32>> {
    filled(gpu, extents, |index| (index % 255) as f32 / 128.0 - 1.0)
}

fn copy(gpu: &Gpu) -> Outcome<Case<'static>> {
    let kernel = SourceKernel::new(gpu.context(), &ProgramSource::new("copy", COPY), "copy")?;
    let (from, to) = (bytes(gpu, [SIDE, SIDE])?, gpu.tensor::<u8, 2>([SIDE, SIDE])?);
    let run = move || {
        let buffers = [from.image().buffer(), to.image().buffer()].map(|buffer| Argument::Buffer(buffer));
        // SAFETY: a work-item for each sixteen bytes of both.
        Ok(unsafe { kernel.run(&buffers, [SIDE * SIDE / 16, 1, 1]) }?)
    };
    Ok(Case { name: "copy", bytes: 2 * SIDE * SIDE, run: Box::new(run) })
}

/// Reductions of rows, and what divides by them.
fn of_rows(gpu: &Gpu) -> Outcome<Vec<Case<'static>>> {
    const ROWS: usize = 1 << 16;
    const COLUMNS: usize = 1024;
    let (src, small) = (floats(gpu, [ROWS, COLUMNS])?, bytes(gpu, [4 * ROWS, COLUMNS])?);
    let (read, written) = (4 * ROWS * COLUMNS, 8 * ROWS * COLUMNS);
    let mut cases = Vec::new();
    macro_rules! row {
        ($name:literal, $bytes:expr, $kernel:path, $src:ident $(, $more:expr)*) => {{
            let $src = $src.clone();
            let run = move || {
                use $kernel as kernel;
                kernel::apply(&$src $(, $more)*).map(drop).map_err(Into::into)
            };
            cases.push(Case { name: $name, bytes: $bytes, run: Box::new(run) });
        }};
    }
    row!("row_sum, 65536 × 1024", read, op::row_sum, src);
    row!("row_log_sum_exp, 65536 × 1024", read, op::row_log_sum_exp, src);
    let mut least = gpu.tensor::<u8, 2>([4 * ROWS, 1])?;
    let run = move || Ok(op::row_least::<u8>::apply_into(&small, &mut least)?);
    cases.push(Case { name: "row_least u8, 262144 × 1024", bytes: read, run: Box::new(run) });
    row!("softmax, 65536 × 1024", written, op::softmax, src);
    let (scale, bias) = (floats(gpu, [COLUMNS])?, floats(gpu, [COLUMNS])?);
    row!("layer_norm, 65536 × 1024", written, op::layer_norm, src, &scale, &bias, 1e-5);
    let deep = floats(gpu, [64, 64, 16384])?;
    row!("reduce_sum, 64 × 64 × 16384 over the second", 4 * 64 * 65 * 16384, op::reduce_sum, deep);
    Ok(cases)
}

/// Images scaled by bilinear interpolation.
fn of_images(gpu: &Gpu) -> Outcome<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    let src = bytes(gpu, [SIDE / 2, SIDE / 2])?;
    for (name, num, den) in
        [("scale_bilinear u8, ½", 1, 2), ("scale_bilinear u8, ⅔", 2, 3), ("scale_bilinear u8, 2", 2, 1)]
    {
        let (src, side) = (src.clone(), SIDE / 2 * num / den);
        let mut out = gpu.tensor::<u8, 2>([side, side])?;
        let step = den as f32 / num as f32;
        let map = [step, (step - 1.0) / 2.0];
        let bytes = SIDE / 2 * SIDE / 2 + side * side;
        let run = move || {
            Ok(op::scale_bilinear::<u8>::apply_into(&src, map, map, windrow::prelude::Rounding::NearestEven, &mut out)?)
        };
        cases.push(Case { name, bytes, run: Box::new(run) });
    }
    let src = floats(gpu, [SIDE / 2, SIDE / 2])?;
    for (name, num, den) in [("scale_bilinear f32, ½", 1, 2), ("scale_bilinear f32, 2", 2, 1)] {
        let (src, side) = (src.clone(), SIDE / 2 * num / den);
        let mut out = gpu.tensor::<f32, 2>([side, side])?;
        let step = den as f32 / num as f32;
        let map = [step, (step - 1.0) / 2.0];
        let bytes = 4 * (SIDE / 2 * SIDE / 2 + side * side);
        let run = move || Ok(op::scale_bilinear_f32::apply_into(&src, map, map, &mut out)?);
        cases.push(Case { name, bytes, run: Box::new(run) });
    }
    Ok(cases)
}

/// Layers of networks that move more than they compute.
fn of_networks(gpu: &Gpu) -> Outcome<Vec<Case<'static>>> {
    let extents = [8, 112, 112, 256];
    let count: usize = extents.iter().product();
    let src = floats(gpu, extents)?;
    let (weights, bias) = (floats(gpu, [3, 3, 256])?, floats(gpu, [256])?);
    let mut out = gpu.tensor::<f32, 4>(extents)?;
    let depthwise = src.clone();
    let run =
        move || Ok(op::depthwise_conv2d::apply_into(&depthwise, &weights, &bias, [1, 1], [1, 1], [1; 4], &mut out)?);
    let mut cases =
        vec![Case { name: "depthwise_conv2d 3 × 3, 8 × 112 × 112 × 256", bytes: 8 * count, run: Box::new(run) }];
    // From NHWC to NCHW, as a network's copy of a view.
    let flat = floats(gpu, [count])?;
    let mut out = gpu.tensor::<f32, 4>([8, 256, 112, 112])?;
    let strides = [256 * 112 * 112, 1, 112 * 256, 256];
    let run = move || Ok(op::as_strided::<f32>::apply_into(&flat, 0, strides, &mut out)?);
    cases.push(Case { name: "as_strided NHWC to NCHW, 8 × 112 × 112 × 256", bytes: 8 * count, run: Box::new(run) });
    let flat = floats(gpu, [count])?;
    let mut out = gpu.tensor::<f32, 4>(extents)?;
    let strides = [256 * 112 * 112, 112 * 256, 256, 1];
    let run = move || Ok(op::as_strided::<f32>::apply_into(&flat, 0, strides, &mut out)?);
    cases.push(Case { name: "as_strided as it lies, 8 × 112 × 112 × 256", bytes: 8 * count, run: Box::new(run) });
    Ok(cases)
}

/// Pipelines, each with its stages one by one behind it.
fn of_pipelines(gpu: &Gpu) -> Outcome<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    let (area, src) = (SIDE * SIDE, bytes(gpu, [SIDE, SIDE])?);
    macro_rules! pipeline {
        ($name:literal, $pipeline:ident, $bytes:expr) => {{
            let src = src.clone();
            let run = move || pipelines::$pipeline::apply(&src).map(drop).map_err(Into::into);
            cases.push(Case { name: $name, bytes: $bytes, run: Box::new(run) });
        }};
    }
    pipeline!("pipeline: edges", edges, 2 * area);
    pipeline!("pipeline: unsharp", unsharp, 2 * area);
    pipeline!("pipeline: pyramid", pyramid, area + area / 4 + area / 16 + area / 64);
    pipeline!("pipeline: Harris", harris, 5 * area);
    pipeline!("pipeline: Canny", canny, 2 * area);
    let run = {
        let src = src.clone();
        move || op::gaussian3x3::apply(&src, Border::Replicate).map(drop).map_err(Into::into)
    };
    cases.push(Case { name: "stage: gaussian3x3", bytes: 2 * area, run: Box::new(run) });
    let run = move || op::sobel3x3::apply(&src, Border::Replicate).map(drop).map_err(Into::into);
    cases.push(Case { name: "stage: sobel3x3", bytes: 5 * area, run: Box::new(run) });
    let (count, image) = (8 * 56 * 56, floats(gpu, [8, 56, 56, 144])?);
    let (depthwise, bias) = (floats(gpu, [3, 3, 144])?, floats(gpu, [144])?);
    let (pointwise, out_bias) = (floats(gpu, [1, 1, 144, 32])?, floats(gpu, [32])?);
    let run = move || {
        let out = pipelines::mobile_block::apply(&image, &depthwise, &bias, &pointwise, &out_bias);
        out.map(drop).map_err(Into::into)
    };
    cases.push(Case {
        name: "pipeline: MobileNet's block, 8 × 56 × 56 × 144 to 32",
        bytes: 4 * count * (144 + 32),
        run: Box::new(run),
    });
    Ok(cases)
}
