//! Integers of one scale from integers of another, by a float and one rounding (XNNPACK's way), or by an integer (ACL's oldest).
use windrow::prelude::*;

/// x · scale rounded to the nearest even whole number, plus zero, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8ScaleByFloat`).
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn requantize_float(x: i32, #[uniform] scale: f32, #[uniform] zero: i32) -> T {
    ((x as f32 * scale).round_ties_even() as i32).saturating_add(zero).saturating_cast()
}

/// As `requantize_float`, with a scale for each channel, between two bounds (XNNPACK's fp32 requantisation).
///
/// `upper` holds before the rounding, as it is a whole number, and `lower` behind it. Where a product is no number, the answer is
/// `upper`.
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn requantize_float_channels(
    x: i32,
    scale: f32,
    #[uniform(-128..=255)] zero: i32,
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let greatest = (upper as i32 - zero) as f32;
    let rounded: i16 = ((x as f32 * scale).min(greatest).round_ties_even() as i32).saturating_cast();
    let value: T = rounded.saturating_add(zero as i16).saturating_cast();
    value.max(lower)
}

/// x · scale + offset rounded to the nearest even whole number, saturated, between two bounds (XNNPACK's mean of qs8).
///
/// Product and sum are each rounded to `f32`.
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn requantize_affine(
    x: i32,
    #[uniform] scale: f32,
    #[uniform] offset: f32,
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let value: T = ((x as f32 * scale + offset).round_ties_even() as i32).saturating_cast();
    value.max(lower).min(upper)
}

/// ⌊(x + offset) · factor / 2^shift⌋, the product modulo 2^32, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8Scale`).
#[kernel(step(8, 1))]
pub fn quantize_down(x: i32, #[uniform] offset: i32, #[uniform] factor: i32, #[uniform(0..=31)] shift: u32) -> u8 {
    (x.wrapping_add(offset).wrapping_mul(factor) >> shift).saturating_cast()
}
