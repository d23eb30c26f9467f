//! Rectified linear units that keep a part of what is negative (ONNX `LeakyRelu`, `PRelu`).
use windrow::prelude::*;

/// x where it is not negative, slope · x elsewhere.
#[kernel(step(8, 1))]
pub fn leaky_relu(x: f32, #[uniform] slope: f32) -> f32 {
    if x < 0.0 { slope * x } else { x }
}

/// x where it is not negative, slope · x elsewhere, with a slope for each element, row, column or plane.
#[kernel(step(8, 1))]
pub fn prelu(x: f32, slope: f32) -> f32 {
    if x < 0.0 { slope * x } else { x }
}
