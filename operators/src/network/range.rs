//! Arithmetic series along rows (ONNX `Range`).
use windrow::prelude::*;

/// start + x · step at column x, each operation rounded. What the image held is not read.
#[kernel(step(8, 1))]
pub fn range(#[inout] series: f32, #[uniform] start: f32, #[uniform] step: f32) -> f32 {
    let _ = series;
    start + x() as f32 * step
}

/// start + x · step at column x, modulo 2^32. What the image held is not read.
#[kernel(step(8, 1))]
pub fn range_i32(#[inout] series: i32, #[uniform] start: i32, #[uniform] step: i32) -> i32 {
    let _ = series;
    x().wrapping_mul(step).wrapping_add(start)
}
