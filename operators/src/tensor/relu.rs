//! Rectified linear units (ACL `ActivationLayer`).
use windrow::prelude::*;

/// max(x, 0).
#[kernel(step(4, 1))]
pub fn relu(x: f32) -> f32 {
    x.max(0.0)
}

/// min(max(x, 0), upper).
#[kernel(step(4, 1))]
pub fn bounded_relu(x: f32, #[uniform] upper: f32) -> f32 {
    x.max(0.0).min(upper)
}
