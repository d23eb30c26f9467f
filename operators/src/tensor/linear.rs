//! A linear function (ACL `ActivationLayer` LINEAR).
use windrow::prelude::*;

/// a · x + b, the product rounded first.
#[kernel(step(8, 1))]
pub fn linear(x: f32, #[uniform] a: f32, #[uniform] b: f32) -> f32 {
    a * x + b
}
