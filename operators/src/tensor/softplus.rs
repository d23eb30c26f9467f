//! Smooth rectified linear units (ACL `ActivationLayer` SOFT_RELU; ONNX `Softplus`, `Mish`).
use windrow::prelude::*;

/// The natural logarithm of 1 + e^x, within 2.1 units of the last place: of large negative numbers as good as elsewhere.
#[kernel(step(8, 1))]
pub fn softplus(x: f32) -> f32 {
    let power = (-x.abs()).exp();
    let sum = 1.0 + power;
    // What the sum has lost of the power changes its logarithm by that part of it.
    x.max(0.0) + (sum.ln() + (power - (sum - 1.0)) / sum)
}

/// x · tanh(softplus(x)), within 4 units of the last place down to −87.
#[kernel(step(8, 1))]
pub fn mish(x: f32) -> f32 {
    // Of w = e^x the tangent is (w² + 2w) / (w² + 2w + 2); of 1/w, where that does not overflow, both divided by w².
    let power = (-x.abs()).exp();
    let (square, twice) = (power * power, power + power);
    let (above, rest) = if x < 0.0 { (square + twice, 2.0) } else { (1.0 + twice, square + square) };
    x * (above / (above + rest))
}
