//! Weighted average of two images (OpenVX `vxWeightedAverage`).
use windrow::prelude::*;

/// (1 − alpha) · b + alpha · a in `f32`, truncated.
#[kernel(step(16, 1))]
pub fn weighted_average(a: u8, b: u8, #[uniform(0.0..=1.0)] alpha: f32) -> u8 {
    ((1.0 - alpha) * b as f32 + alpha * a as f32) as u8
}
