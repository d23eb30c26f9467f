//! Sums of quantised tensors, XNNPACK's way: multipliers of up to 2^21, and one rounding.
use windrow::prelude::*;

/// ⌊(bias + a · multiplier\[0\] + b · multiplier\[1\]) / 2^shift⌋ + zero, the sum modulo 2^32, between two bounds (XNNPACK `vadd` of qs8).
///
/// `bias` holds what the zeros of a and b add, and 2^(shift − 1), which rounds halves up.
#[kernel(step(8, 1), types(T = u8, i8))]
pub fn add_quantized_once(
    a: T,
    b: T,
    #[uniform(0..=2_097_152)] multiplier: [i32; 2],
    #[uniform] bias: i32,
    #[uniform(0..=31)] shift: u32,
    #[uniform(-128..=255)] zero: i32,
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let terms = (a as i32 * multiplier[0]).wrapping_add(b as i32 * multiplier[1]);
    let value: T = (bias.wrapping_add(terms) >> shift).saturating_add(zero).saturating_cast();
    value.max(lower).min(upper)
}
