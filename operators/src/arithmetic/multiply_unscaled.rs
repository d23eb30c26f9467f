//! Multiplication of tensors, without a scale (ONNX `Mul`, MNN `BinaryOp`).
use windrow::prelude::*;

/// a · b, signed 32 bits.
#[kernel(step(8, 1))]
pub fn multiply_i32(a: i32, b: i32, #[variant] policy: Overflow) -> i32 {
    match policy {
        Overflow::Wrap => a.wrapping_mul(b),
        Overflow::Saturate => a.saturating_mul(b),
    }
}

/// a · b of floats.
#[kernel(step(8, 1))]
pub fn multiply_f32(a: f32, b: f32) -> f32 {
    a * b
}
