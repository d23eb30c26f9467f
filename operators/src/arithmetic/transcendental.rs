//! Powers and angles of two floats (ONNX `Pow`; TVM `power`; MNN `BinaryOp` POW, ATAN2).
use windrow::prelude::*;

/// x^y, within 1.1 units of the last place; of a negative x NaN, unless y is a whole number.
#[kernel(step(8, 1))]
pub fn power(x: f32, y: f32) -> f32 {
    x.powf(y)
}

/// The angle of the point (x, y), from −π to π, within 1.6 units of the last place.
#[kernel(step(8, 1))]
pub fn atan2(y: f32, x: f32) -> f32 {
    y.atan2(x)
}
