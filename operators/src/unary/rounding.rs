//! Whole numbers near a float (ACL `Floor`; ONNX `Floor`, `Ceil`, `Round`).
use windrow::prelude::*;

/// The greatest whole number that is not above x.
#[kernel(step(8, 1))]
pub fn floor(x: f32) -> f32 {
    x.floor()
}

/// The least whole number that is not below x.
#[kernel(step(8, 1))]
pub fn ceil(x: f32) -> f32 {
    x.ceil()
}

/// The nearest whole number; of two equally near the even one.
#[kernel(step(8, 1))]
pub fn round(x: f32) -> f32 {
    x.round_ties_even()
}
