//! A choice between two images (ACL `Select`, ONNX `Where`).
use windrow::prelude::*;

/// a where the condition is not 0, b elsewhere.
#[kernel(step(8, 1), types(T = u8, i16, i32, f32))]
pub fn select(condition: u8, a: T, b: T) -> T {
    if condition != 0 { a } else { b }
}
