//! Multiplication by another image and by 2^−shift (OpenVX `vxMultiply`, rounding toward zero).
use windrow::prelude::*;

/// a · b / 2^shift, 8 bits.
#[kernel(step(16, 1))]
pub fn multiply(a: u8, b: u8, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> u8 {
    let product = (a as u32 * b as u32) >> shift;
    match policy {
        Overflow::Wrap => product.wrapping_cast(),
        Overflow::Saturate => product.saturating_cast(),
    }
}

/// a · b / 2^shift of 8-bit images, as signed 16 bits.
#[kernel(step(16, 1))]
pub fn multiply_widening(a: u8, b: u8, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> i16 {
    let product = (a as u32 * b as u32) >> shift;
    match policy {
        Overflow::Wrap => product.wrapping_cast(),
        Overflow::Saturate => product.saturating_cast(),
    }
}

/// a · b / 2^shift of an 8-bit and a signed 16-bit image; rounds toward zero.
#[kernel(step(16, 1))]
pub fn multiply_mixed(a: u8, b: i16, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> i16 {
    let product = a as i32 * b as i32;
    let magnitude = product.unsigned_abs() >> shift;
    let scaled = if product < 0 { -(magnitude as i32) } else { magnitude as i32 };
    match policy {
        Overflow::Wrap => scaled.wrapping_cast(),
        Overflow::Saturate => scaled.saturating_cast(),
    }
}

/// a · b / 2^shift, signed 16 bits; rounds toward zero.
#[kernel(step(16, 1))]
pub fn multiply_i16(a: i16, b: i16, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> i16 {
    let product = a as i32 * b as i32;
    let magnitude = product.unsigned_abs() >> shift;
    let scaled = if product < 0 { -(magnitude as i32) } else { magnitude as i32 };
    match policy {
        Overflow::Wrap => scaled.wrapping_cast(),
        Overflow::Saturate => scaled.saturating_cast(),
    }
}
