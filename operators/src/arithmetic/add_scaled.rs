//! A sum with one operand scaled (ACL `GEMMMatrixAddition`).
use windrow::prelude::*;

/// a + beta · b of floats, the product rounded first.
#[kernel(step(8, 1))]
pub fn add_scaled(a: f32, b: f32, #[uniform] beta: f32) -> f32 {
    a + beta * b
}
