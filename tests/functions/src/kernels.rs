//! A kernel of each function.

use windrow::prelude::*;

/// e^x.
#[kernel]
pub fn exp(x: f32) -> f32 {
    x.exp()
}

/// 2^x.
#[kernel]
pub fn exp2(x: f32) -> f32 {
    x.exp2()
}

/// The natural logarithm.
#[kernel]
pub fn ln(x: f32) -> f32 {
    x.ln()
}

/// The logarithm to the base 2.
#[kernel]
pub fn log2(x: f32) -> f32 {
    x.log2()
}

/// The reciprocal of the square root.
#[kernel]
pub fn rsqrt(x: f32) -> f32 {
    x.rsqrt()
}

/// The hyperbolic tangent.
#[kernel]
pub fn tanh(x: f32) -> f32 {
    x.tanh()
}

/// 1 / (1 + e^−x).
#[kernel]
pub fn sigmoid(x: f32) -> f32 {
    x.sigmoid()
}

/// The error function.
#[kernel]
pub fn erf(x: f32) -> f32 {
    x.erf()
}

/// The sine.
#[kernel]
pub fn sin(x: f32) -> f32 {
    x.sin()
}

/// The cosine.
#[kernel]
pub fn cos(x: f32) -> f32 {
    x.cos()
}

/// The arc tangent.
#[kernel]
pub fn atan(x: f32) -> f32 {
    x.atan()
}

/// The angle of the point (x, y).
#[kernel]
pub fn atan2(y: f32, x: f32) -> f32 {
    y.atan2(x)
}

/// x^y.
#[kernel]
pub fn powf(x: f32, y: f32) -> f32 {
    x.powf(y)
}

/// Several functions at once, one inside a branch: what they share is computed once.
#[kernel]
pub fn several(x: f32, y: f32) -> (f32, f32) {
    let (sine, cosine) = (x.sin(), x.cos());
    (sine * y + cosine, if y > 0.0 { y.ln() } else { y.exp().tanh() })
}

/// A function of a value that is the same for the whole run.
#[kernel]
pub fn scaled(x: f32, #[uniform] gain: f32) -> f32 {
    x * gain.exp2()
}

/// A byte, which the range of the function proves to be one.
#[kernel]
pub fn byte(x: f32) -> u8 {
    (x.sigmoid() * 255.0) as i32 as u8
}
