//! Integers as integers that do not hold every one of them (ACL `DepthConvertLayer`).
use windrow::prelude::*;

/// ⌊x / 2^shift⌋ of unsigned 8 bits, then wrapped or saturated.
#[kernel(step(8, 1), types(T = i8))]
pub fn narrow_u8(x: u8, #[uniform(0..=7)] shift: u32, #[variant] policy: Overflow) -> T {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}

/// ⌊x / 2^shift⌋ of signed 8 bits, then wrapped or saturated.
#[kernel(step(8, 1), types(T = u8, u16))]
pub fn narrow_i8(x: i8, #[uniform(0..=7)] shift: u32, #[variant] policy: Overflow) -> T {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}

/// ⌊x / 2^shift⌋ of unsigned 16 bits, then wrapped or saturated.
#[kernel(step(8, 1), types(T = u8, i8, i16))]
pub fn narrow_u16(x: u16, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> T {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}

/// ⌊x / 2^shift⌋ of signed 16 bits, then wrapped or saturated; as unsigned 8 bits it is `convert_down`.
#[kernel(step(8, 1), types(T = i8, u16))]
pub fn narrow_i16(x: i16, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> T {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}

/// ⌊x / 2^shift⌋ of signed 32 bits, then wrapped or saturated.
#[kernel(step(8, 1), types(T = u8, i8, u16, i16))]
pub fn narrow_i32(x: i32, #[uniform(0..=31)] shift: u32, #[variant] policy: Overflow) -> T {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}
