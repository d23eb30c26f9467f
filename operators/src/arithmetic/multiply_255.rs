//! Multiplication by another image and by 1 / 255, rounded to nearest (OpenVX `vxMultiply`); there are no halves.
use windrow::prelude::*;

/// a · b / 255, 8 bits, which hold every result.
#[kernel(step(16, 1))]
pub fn multiply_255(a: u8, b: u8) -> u8 {
    ((a as u32 * b as u32 + 127) / 255) as u8
}

/// a · b / 255 of 8-bit images, as signed 16 bits.
#[kernel(step(16, 1))]
pub fn multiply_255_widening(a: u8, b: u8) -> i16 {
    ((a as u32 * b as u32 + 127) / 255) as i16
}

/// a · b / 255 of an 8-bit and a signed 16-bit image, which holds every result.
#[kernel(step(16, 1))]
pub fn multiply_255_mixed(a: u8, b: i16) -> i16 {
    let magnitude = ((a as u32 * b.unsigned_abs() as u32 + 127) / 255) as i32;
    (if b < 0 { -magnitude } else { magnitude }).saturating_cast()
}

/// a · b / 255, signed 16 bits.
#[kernel(step(16, 1))]
pub fn multiply_255_i16(a: i16, b: i16, #[variant] policy: Overflow) -> i16 {
    let magnitude = ((a.unsigned_abs() as u32 * b.unsigned_abs() as u32 + 127) / 255) as i32;
    let rounded = if (a < 0) != (b < 0) { -magnitude } else { magnitude };
    match policy {
        Overflow::Wrap => rounded.wrapping_cast(),
        Overflow::Saturate => rounded.saturating_cast(),
    }
}
