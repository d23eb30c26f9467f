//! Absolute difference (OpenVX `vxAbsDiff`).
use windrow::prelude::*;

/// |a − b| of two 8-bit images.
#[kernel(step(32, 1))]
pub fn abs_diff(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

/// |a − b| of two signed 16-bit images, saturated to 32767.
#[kernel(step(16, 1))]
pub fn abs_diff_i16(a: i16, b: i16) -> i16 {
    a.abs_diff(b).min(32767) as i16
}

/// |a − b| of an 8-bit and a signed 16-bit image, saturated to 32767.
#[kernel(step(16, 1))]
pub fn abs_diff_mixed(a: u8, b: i16) -> i16 {
    (a as i16).abs_diff(b).min(32767) as i16
}
