//! Activations that take something off, or all below a level (ONNX `Shrink`, `Softsign`, `ThresholdedRelu`).
use windrow::prelude::*;

/// x brought nearer to zero by `bias` where its magnitude is above `level`, 0 elsewhere.
#[kernel(step(8, 1))]
pub fn shrink(x: f32, #[uniform] level: f32, #[uniform] bias: f32) -> f32 {
    if x < -level {
        x + bias
    } else if x > level {
        x - bias
    } else {
        0.0
    }
}

/// x / (1 + |x|).
#[kernel(step(8, 1))]
pub fn soft_sign(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// x where it is above `level`, 0 elsewhere.
#[kernel(step(8, 1))]
pub fn thresholded_relu(x: f32, #[uniform] level: f32) -> f32 {
    if x > level { x } else { 0.0 }
}
