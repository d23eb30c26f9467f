//! The Gaussian error linear unit (ONNX `Gelu`; MNN `UnaryOp` GELU, GELU_STANDARD).
use windrow::prelude::*;

/// x · (1 + erf(x / √2)) / 2, within 1.5 units of the last place of x.
#[kernel(step(8, 1))]
pub fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (x * core::f32::consts::FRAC_1_SQRT_2).erf())
}

/// x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2, within 2.2 units of the last place of x.
#[kernel(step(8, 1))]
pub fn gelu_tanh(x: f32) -> f32 {
    // (1 + tanh z) / 2 is the sigmoid of 2z; √(8/π) and 0.044715 of it.
    x * (x * (x * x * 0.071_354_82 + 1.595_769_1)).sigmoid()
}
