//! Exponentials and logarithms of floats (ONNX `Exp`, `Log`; ACL `ElementWiseUnaryLayer` EXP, LOG; MNN `UnaryOp`).
use windrow::prelude::*;

/// e^x, within 1.1 units of the last place.
#[kernel(step(8, 1))]
pub fn exp(x: f32) -> f32 {
    x.exp()
}

/// 2^x, within 1 unit of the last place; exact where x is a whole number.
#[kernel(step(8, 1))]
pub fn exp2(x: f32) -> f32 {
    x.exp2()
}

/// e^x − 1, within 4.2 units of the last place: near zero as good as elsewhere.
#[kernel(step(8, 1))]
pub fn expm1(x: f32) -> f32 {
    // Of h = tanh(x / 2) it is 2h / (1 − h), where nothing cancels unless h is near 1.
    let half = (x * 0.5).tanh();
    if x < 0.5 { (half + half) / (1.0 - half) } else { x.exp() - 1.0 }
}

/// The natural logarithm, within 1.1 units of the last place; of 0 it is −∞, and of a negative number NaN.
#[kernel(step(8, 1))]
pub fn log(x: f32) -> f32 {
    x.ln()
}

/// The logarithm to the base 2, within 1.1 units of the last place; exact of powers of two.
#[kernel(step(8, 1))]
pub fn log2(x: f32) -> f32 {
    x.log2()
}

/// The natural logarithm of 1 + x, within 1.8 units of the last place: near zero as good as elsewhere.
#[kernel(step(8, 1))]
pub fn log1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    // What the sum has lost of x changes its logarithm by that part of it.
    let lost = (x - (sum - 1.0)) / sum;
    let rest = if sum > 0.0 && sum < f32::INFINITY { lost } else { 0.0 };
    if sum == 1.0 { x } else { sum.ln() + rest }
}
