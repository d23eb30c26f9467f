//! The lesser and the greater of two images (ACL `ElementwiseMin`, `ElementwiseMax`; ONNX `Min`, `Max`).
use windrow::prelude::*;

/// The lesser of a and b; of floats the one that is a number.
#[kernel(step(8, 1), types(T = u8, i16, i32, f32))]
pub fn minimum(a: T, b: T) -> T {
    a.min(b)
}

/// The greater of a and b; of floats the one that is a number.
#[kernel(step(8, 1), types(T = u8, i16, i32, f32))]
pub fn maximum(a: T, b: T) -> T {
    a.max(b)
}
