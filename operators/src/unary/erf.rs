//! The error function of floats (ONNX `Erf`; MNN `UnaryOp`).
use windrow::prelude::*;

/// 2/√π times the integral of e^−t² from 0 to x, within 1.8 units of the last place.
#[kernel(step(8, 1))]
pub fn erf(x: f32) -> f32 {
    x.erf()
}
