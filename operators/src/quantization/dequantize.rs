//! Floats from integers (ONNX `DequantizeLinear`, TFLite `Dequantize`).
use windrow::prelude::*;

/// (x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.
#[kernel(step(8, 1), types(T = u8, i8, u16, i16, i32))]
pub fn dequantize(x: T, #[uniform] scale: f32, #[uniform] zero: i32) -> f32 {
    (x as i32).saturating_sub(zero) as f32 * scale
}

/// As `dequantize`, with a scale and a zero for each channel.
#[kernel(step(8, 1), types(T = u8, i8, i32))]
pub fn dequantize_channels(x: T, scale: f32, zero: i32) -> f32 {
    (x as i32).saturating_sub(zero) as f32 * scale
}
