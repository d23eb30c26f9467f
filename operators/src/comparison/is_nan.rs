//! Floats that are no finite numbers (ONNX `IsNaN`, `IsInf`).
use windrow::prelude::*;

/// `truth` where x is not a number, 0 elsewhere.
#[kernel(step(8, 1))]
pub fn is_nan(x: f32, #[uniform] truth: u8) -> u8 {
    if x.is_nan() { truth } else { 0 }
}

/// `positive` where x is ∞, `negative` where it is −∞, 0 elsewhere.
#[kernel(step(8, 1))]
pub fn is_infinite(x: f32, #[uniform] positive: u8, #[uniform] negative: u8) -> u8 {
    if x == f32::INFINITY {
        positive
    } else if x == f32::NEG_INFINITY {
        negative
    } else {
        0
    }
}
