//! Subtraction (OpenVX `vxSubtract`): computed exactly, then wrapped or saturated to the output type.
use windrow::prelude::*;

/// a − b, 8 bits.
#[kernel(step(32, 1))]
pub fn subtract(a: u8, b: u8, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => a.wrapping_sub(b),
        Overflow::Saturate => a.saturating_sub(b),
    }
}

/// a − b of 8-bit images as signed 16 bits, which hold every difference.
#[kernel(step(16, 1))]
pub fn subtract_widening(a: u8, b: u8) -> i16 {
    a as i16 - b as i16
}

/// a − b of an 8-bit and a signed 16-bit image.
#[kernel(step(16, 1))]
pub fn subtract_mixed(a: u8, b: i16, #[variant] policy: Overflow) -> i16 {
    match policy {
        Overflow::Wrap => (a as i16).wrapping_sub(b),
        Overflow::Saturate => (a as i16).saturating_sub(b),
    }
}

/// a − b of a signed 16-bit and an 8-bit image.
#[kernel(step(16, 1))]
pub fn subtract_mixed_reversed(a: i16, b: u8, #[variant] policy: Overflow) -> i16 {
    match policy {
        Overflow::Wrap => a.wrapping_sub(b as i16),
        Overflow::Saturate => a.saturating_sub(b as i16),
    }
}

/// a − b, signed 16 bits.
#[kernel(step(16, 1))]
pub fn subtract_i16(a: i16, b: i16, #[variant] policy: Overflow) -> i16 {
    match policy {
        Overflow::Wrap => a.wrapping_sub(b),
        Overflow::Saturate => a.saturating_sub(b),
    }
}

/// a − b, signed 32 bits.
#[kernel(step(8, 1))]
pub fn subtract_i32(a: i32, b: i32, #[variant] policy: Overflow) -> i32 {
    match policy {
        Overflow::Wrap => a.wrapping_sub(b),
        Overflow::Saturate => a.saturating_sub(b),
    }
}

/// a − b of floats.
#[kernel(step(8, 1))]
pub fn subtract_f32(a: f32, b: f32) -> f32 {
    a - b
}
