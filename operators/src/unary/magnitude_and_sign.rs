//! Magnitude and sign of floats (ONNX `Abs`, `Neg`, `Sign`).
use windrow::prelude::*;

/// |x|.
#[kernel(step(8, 1))]
pub fn absolute(x: f32) -> f32 {
    x.abs()
}

/// −x.
#[kernel(step(8, 1))]
pub fn negate(x: f32) -> f32 {
    -x
}

/// −1, 0 or 1: the sign of x, which of either zero is the zero itself, and of what is not a number is that.
#[kernel(step(8, 1))]
pub fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}
