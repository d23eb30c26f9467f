//! Multiplication by another image and by any scale (OpenVX `vxMultiply`), in floats.
use windrow::prelude::*;

/// a · b · scale, saturated; the product is rounded to `f32` before it is scaled, which alters no product of less than 25 bits.
#[kernel(step(8, 1), types(T = u8, i16))]
pub fn multiply_scaled(a: T, b: T, #[uniform] scale: f32, #[variant] rounding: Rounding) -> T {
    let scaled = (a as i32 * b as i32) as f32 * scale;
    match rounding {
        Rounding::TowardZero => scaled.saturating_cast(),
        Rounding::NearestEven => scaled.round_ties_even().saturating_cast(),
    }
}
