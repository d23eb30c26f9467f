//! Products of quantised tensors, before they are scaled (TFLite `Mul`, onnxruntime `QLinearMul`).
use windrow::prelude::*;

/// (a − zero₀) · (b − zero₁).
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn multiply_bytes(a: T, b: T, #[uniform(-128..=255)] zero: [i32; 2]) -> i32 {
    (a as i32 - zero[0]) * (b as i32 - zero[1])
}
