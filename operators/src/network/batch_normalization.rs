//! Normalisation by what is known of each channel (ONNX `BatchNormalization`, MNN `Scale`, ACL `NormalizePlanarYUVLayer`).
//!
//! In planes, what belongs to a channel is a tensor of C × 1 × 1; with channels innermost, it is a row.
use windrow::prelude::*;

/// (x − mean) · (scale / √(variance + epsilon)) + shift, each operation rounded.
#[kernel(step(8, 1))]
pub fn batch_normalization(x: f32, mean: f32, variance: f32, scale: f32, shift: f32, #[uniform] epsilon: f32) -> f32 {
    (x - mean) * (scale / (variance + epsilon).sqrt()) + shift
}

/// x · scale + shift, each operation rounded.
#[kernel(step(8, 1))]
pub fn scale_shift(x: f32, scale: f32, shift: f32) -> f32 {
    x * scale + shift
}

/// (x − mean) / deviation, each operation rounded.
#[kernel(step(8, 1))]
pub fn normalize_planar(x: f32, mean: f32, deviation: f32) -> f32 {
    (x - mean) / deviation
}
