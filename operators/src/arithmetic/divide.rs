//! Division (ONNX `Div`, ACL `ElementwiseDivision`).
use windrow::prelude::*;

/// a / b of floats.
#[kernel(step(8, 1))]
pub fn divide(a: f32, b: f32) -> f32 {
    a / b
}
