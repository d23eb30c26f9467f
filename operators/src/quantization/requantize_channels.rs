//! Integers of one scale from integers of another, with a multiplier and a shift for each channel (TFLite's convolutions).
//!
//! The numbers of channels are tensors of one row. All values are defined: shifts are brought between −31 and 30, and x · 2^shift of a
//! positive shift, as the doubled product, wraps modulo 2^32, which no scale of TFLite makes it do.
use windrow::prelude::*;

/// As `requantize`, with a multiplier and a shift for each channel: rounded twice, as TFLite's reference does.
#[kernel(step(8, 1), schedule(x86(32, 1)), types(T = u8, i8))]
pub fn requantize_channels(
    x: i32,
    multiplier: i32,
    shift: i32,
    #[uniform] zero: i32,
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let x = x.wrapping_shl(shift.clamp(0, 30) as u32);
    // The 64-bit product from bit 31 on, rounded by bit 30. A shift of an i32 by 31 gives −1 or 0.
    let low = x.wrapping_mul(multiplier);
    let high = x.mul_high(multiplier).wrapping_shl(1).wrapping_sub(low >> 31);
    let product = high.wrapping_sub(low.wrapping_shl(1) >> 31);
    // Halves go away from zero: where something is shifted away below, one less of what is negative.
    let nudged = product.wrapping_add((product & shift) >> 31);
    let scaled = nudged.rounding_shr((-shift.clamp(-31, 0)) as u32);
    let value: T = scaled.saturating_add(zero).saturating_cast();
    value.max(lower).min(upper)
}

/// As `requantize_channels`, rounded once: ⌊x · multiplier · 2^(shift − 31) + ½⌋, as TFLite built with a single rounding.
#[kernel(step(8, 1), schedule(x86(32, 1)), types(T = u8, i8))]
pub fn requantize_channels_once(
    x: i32,
    multiplier: i32,
    shift: i32,
    #[uniform] zero: i32,
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let x = x.wrapping_shl(shift.clamp(0, 30) as u32);
    // The 64-bit product from bit 31 on. Only where nothing is shifted away below does bit 30 round.
    let low = x.wrapping_mul(multiplier);
    let high = x.mul_high(multiplier).wrapping_shl(1).wrapping_sub(low >> 31);
    let product = high.wrapping_sub((low.wrapping_shl(1) & !shift) >> 31);
    let scaled = product.rounding_shr((-shift.clamp(-31, 0)) as u32);
    let value: T = scaled.saturating_add(zero).saturating_cast();
    value.max(lower).min(upper)
}
