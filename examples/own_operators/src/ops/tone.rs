//! Tone.

use windrow::prelude::*;

/// The negative of an image.
#[kernel]
pub fn invert(x: u8) -> u8 {
    255 - x
}

/// Half of one image, and half of another.
#[kernel]
pub fn mix(a: u8, b: u8) -> u8 {
    a.halving_add(b)
}

/// The lighter of two images.
#[kernel(types(T = u8, i16, f32))]
pub fn lighten(a: T, b: T) -> T {
    a.max(b)
}

/// Brightens or darkens: what leaves the range of a byte is cut off, or starts again at the other end.
#[kernel]
pub fn brighten(x: u8, #[uniform(-255..=255)] by: i16, #[variant] policy: Overflow) -> u8 {
    let sum = x as i16 + by;
    match policy {
        Overflow::Wrap => sum.wrapping_cast(),
        Overflow::Saturate => sum.saturating_cast(),
    }
}
