//! Activations in straight pieces (ONNX `HardSigmoid`, `HardSwish`).
use windrow::prelude::*;

/// alpha · x + beta, brought into [0, 1]; what is not a number gives 0.
#[kernel(step(8, 1))]
pub fn hard_sigmoid(x: f32, #[uniform] alpha: f32, #[uniform] beta: f32) -> f32 {
    (alpha * x + beta).max(0.0).min(1.0)
}

/// x · min(max(x / 6 + 1/2, 0), 1).
#[kernel(step(8, 1))]
pub fn hard_swish(x: f32) -> f32 {
    x * (x * (1.0 / 6.0) + 0.5).max(0.0).min(1.0)
}
