//! Powers and roots of floats (ONNX `Sqrt`, `Reciprocal`; MNN `UnaryOp`).
use windrow::prelude::*;

/// x².
#[kernel(step(8, 1))]
pub fn square(x: f32) -> f32 {
    x * x
}

/// √x, correctly rounded.
#[kernel(step(8, 1))]
pub fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

/// 1 / √x, rounded after each of the two operations.
#[kernel(step(8, 1))]
pub fn reciprocal_sqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// 1 / x, correctly rounded.
#[kernel(step(8, 1))]
pub fn reciprocal(x: f32) -> f32 {
    1.0 / x
}
