//! Scales and zeros of tensors whose extremes are known when they are there (ONNX `DynamicQuantizeLinear`).
//!
//! The range has 0 in it, and 255 steps: `quantize_channels` makes integers by it.
use windrow::prelude::*;

/// The range of these extremes and 0, in 255 steps; 1 where it is nothing.
#[kernel(step(8, 1))]
pub fn dynamic_scale(least: f32, greatest: f32) -> f32 {
    let range = greatest.max(0.0) - least.min(0.0);
    if range == 0.0 { 1.0 } else { range / 255.0 }
}

/// The integer that stands for 0 where −128 stands for the least, or 0 where that is above 0.
#[kernel(step(8, 1))]
pub fn dynamic_zero(least: f32, scale: f32) -> i8 {
    let steps: u8 = (0.0 - least.min(0.0) / scale).round_ties_even().saturating_cast();
    (steps as i16 - 128) as i8
}
