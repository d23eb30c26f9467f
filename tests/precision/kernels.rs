//! The kernels of floats that run in every precision.

use windrow::prelude::*;

/// A slope for negative values.
#[kernel]
pub fn leaky_relu(x: f32, #[uniform] slope: f32) -> f32 {
    if x < 0.0 { slope * x } else { x }
}

/// scale · x + offset.
#[kernel]
pub fn affine(x: f32, #[uniform] scale: f32, #[uniform] offset: f32) -> f32 {
    scale * x + offset
}

/// The sum of two images.
#[kernel]
pub fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// The product of two images.
#[kernel]
pub fn multiply(a: f32, b: f32) -> f32 {
    a * b
}

/// A quotient and a root.
#[kernel(output(quotient, root))]
pub fn quotient_and_root(a: f32, b: f32) -> (f32, f32) {
    (a / b, a.abs().sqrt())
}

/// The mean of 3×3 elements.
#[kernel]
pub fn mean3x3(src: Neighbourhood<f32>) -> f32 {
    let mut sum = 0.0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += src.at(dx, dy);
        }
    }
    sum / 9.0
}

/// 3×3 Gaussian blur.
#[kernel]
pub fn gaussian3x3(src: Neighbourhood<f32>) -> f32 {
    let row = |dy| src.at(-1, dy) + 2.0 * src.at(0, dy) + src.at(1, dy);
    (row(-1) + 2.0 * row(0) + row(1)) * 0.0625
}

/// Both derivatives.
#[kernel(output(dx, dy))]
pub fn sobel3x3(src: Neighbourhood<f32>) -> (f32, f32) {
    let column = |x| src.at(x, -1) + 2.0 * src.at(x, 0) + src.at(x, 1);
    let row = |y| src.at(-1, y) + 2.0 * src.at(0, y) + src.at(1, y);
    (column(1) - column(-1), row(1) - row(-1))
}

/// Convolution with coefficients known at run time.
#[kernel]
pub fn convolve5x5(src: Neighbourhood<f32>, #[uniform] k: [[f32; 5]; 5]) -> f32 {
    let mut sum = 0.0;
    for (dy, row) in (-2..=2).zip(k) {
        for (dx, c) in (-2..=2).zip(row) {
            sum += c * src.at(-dx, -dy);
        }
    }
    sum
}

/// Half scale: the mean of four elements.
#[kernel]
pub fn half_scale_bilinear(#[stride(2, 2)] src: Neighbourhood<f32>) -> f32 {
    let upper = 0.5 * (src.at(0, 0) + src.at(1, 0));
    let lower = 0.5 * (src.at(0, 1) + src.at(1, 1));
    0.5 * (upper + lower)
}

/// Adds in place.
#[kernel]
pub fn accumulate(#[inout] sum: f32, x: f32) -> f32 {
    sum + x
}

/// Three channels to one, in one lane.
#[kernel(schedule(opencl(1, 1)))]
pub fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// Floats to bytes: what is above a level, and by how much.
#[kernel(output(above, excess))]
pub fn above(x: f32, #[uniform] level: f32) -> (u8, f32) {
    (if x > level { 255 } else { 0 }, (x - level).max(0.0))
}

/// Bytes to floats.
#[kernel]
pub fn widen(x: u8, #[uniform] scale: f32) -> f32 {
    x as f32 * scale
}

/// Integers alone, computed in floats.
#[kernel]
pub fn brighten(x: u8, #[uniform] gain: f32) -> u8 {
    (x as f32 * gain) as u8
}
