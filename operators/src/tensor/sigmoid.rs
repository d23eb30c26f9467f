//! The logistic function and what is made of it (ACL `ActivationLayer` LOGISTIC; ONNX `Sigmoid`, `Swish`; MNN `UnaryOp` SILU).
use windrow::prelude::*;

/// 1 / (1 + e^−x), within 2.5 units of the last place.
#[kernel(step(8, 1))]
pub fn sigmoid(x: f32) -> f32 {
    x.sigmoid()
}

/// x / (1 + e^(−alpha·x)), which with an alpha of 1 is SiLU, and then within 3.5 units of the last place down to −87.
#[kernel(step(8, 1))]
pub fn swish(x: f32, #[uniform] alpha: f32) -> f32 {
    x * (alpha * x).sigmoid()
}

/// The natural logarithm of 1 / (1 + e^−x), within 2.1 units of the last place: of large numbers as good as elsewhere.
#[kernel(step(8, 1))]
pub fn log_sigmoid(x: f32) -> f32 {
    let power = (-x.abs()).exp();
    let sum = 1.0 + power;
    // What the sum has lost of the power changes its logarithm by that part of it.
    x.min(0.0) - (sum.ln() + (power - (sum - 1.0)) / sum)
}
