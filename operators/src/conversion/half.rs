//! Floats of 16 bits and of 32 (ACL `DepthConvertLayer`, ONNX `Cast`).
use windrow::prelude::*;

/// x as the nearest half, of two the even one; beyond the greatest it is infinity.
#[kernel(step(8, 1))]
pub fn to_half(x: f32) -> f16 {
    x.cast()
}

/// x as a float of 32 bits, exactly.
#[kernel(step(8, 1))]
pub fn from_half(x: f16) -> f32 {
    x.cast()
}
