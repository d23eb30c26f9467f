//! Circular functions of floats and their inverses (ONNX `Sin`, `Cos`, `Tan`, `Asin`, `Acos`, `Atan`; MNN `UnaryOp`).
use windrow::prelude::*;

/// The sine, within 1.5 units of the last place at every angle.
#[kernel(step(8, 1))]
pub fn sin(x: f32) -> f32 {
    x.sin()
}

/// The cosine, within 1.5 units of the last place at every angle.
#[kernel(step(8, 1))]
pub fn cos(x: f32) -> f32 {
    x.cos()
}

/// The tangent, within 3.2 units of the last place at every angle: the sine by the cosine.
#[kernel(step(8, 1))]
pub fn tan(x: f32) -> f32 {
    x.sin() / x.cos()
}

/// The arc sine, from −π/2 to π/2, within 2.6 units of the last place; NaN beyond −1 and 1.
#[kernel(step(8, 1))]
pub fn asin(x: f32) -> f32 {
    // The angle of the point (√(1 − x²), x), with the difference taken before the square loses bits.
    x.atan2(((1.0 - x) * (1.0 + x)).sqrt())
}

/// The arc cosine, from 0 to π, within 2.4 units of the last place; NaN beyond −1 and 1.
#[kernel(step(8, 1))]
pub fn acos(x: f32) -> f32 {
    ((1.0 - x) * (1.0 + x)).sqrt().atan2(x)
}

/// The arc tangent, from −π/2 to π/2, within 1.3 units of the last place.
#[kernel(step(8, 1))]
pub fn atan(x: f32) -> f32 {
    x.atan()
}
