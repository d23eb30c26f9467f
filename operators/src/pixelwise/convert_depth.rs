//! Conversion between 8 and 16 bits with a shift (OpenVX `vxConvertDepth`).
use windrow::prelude::*;

/// x · 2^shift, 8 bits to signed 16, which hold every result.
#[kernel(step(16, 1))]
pub fn convert_up(x: u8, #[uniform(0..=7)] shift: u32) -> i16 {
    (x as i16) << shift
}

/// ⌊x / 2^shift⌋, signed 16 bits to 8, then wrapped or saturated.
#[kernel(step(16, 1))]
pub fn convert_down(x: i16, #[uniform(0..=7)] shift: u32, #[variant] policy: Overflow) -> u8 {
    let shifted = x >> shift;
    match policy {
        Overflow::Wrap => shifted.wrapping_cast(),
        Overflow::Saturate => shifted.saturating_cast(),
    }
}
