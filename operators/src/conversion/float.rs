//! Integers and floats (ACL `DepthConvertLayer`, ONNX `Cast`).
use windrow::prelude::*;

/// x as a float; of 32 bits the nearest one, of two the even one.
#[kernel(step(8, 1), types(T = u8, i8, u16, i16, i32))]
pub fn to_float(x: T) -> f32 {
    x as f32
}

/// The whole number by x, saturated; what is not a number becomes 0.
#[kernel(step(8, 1), types(T = u8, i8, u16, i16, i32))]
pub fn from_float(x: f32, #[variant] rounding: Rounding) -> T {
    match rounding {
        Rounding::TowardZero => x.saturating_cast(),
        Rounding::NearestEven => x.round_ties_even().saturating_cast(),
    }
}
