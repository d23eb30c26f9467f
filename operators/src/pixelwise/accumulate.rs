//! Accumulation into an image (OpenVX `vxAccumulate…`).
use windrow::prelude::*;

/// acc + x, saturated to signed 16 bits.
#[kernel(step(16, 1))]
pub fn accumulate(x: u8, #[inout] acc: i16) -> i16 {
    acc.saturating_add(x as i16)
}

/// (1 − alpha) · acc + alpha · x in `f32`, truncated.
#[kernel(step(16, 1))]
pub fn accumulate_weighted(x: u8, #[uniform(0.0..=1.0)] alpha: f32, #[inout] acc: u8) -> u8 {
    ((1.0 - alpha) * acc as f32 + alpha * x as f32) as u8
}

/// acc + ⌊x² / 2^shift⌋, saturated to signed 16 bits.
#[kernel(step(16, 1))]
pub fn accumulate_squared(x: u8, #[uniform(0..=15)] shift: u32, #[inout] acc: i16) -> i16 {
    let square = (x as i32 * x as i32) >> shift;
    (acc as i32 + square).saturating_cast()
}
