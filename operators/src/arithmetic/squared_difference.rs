//! Squared difference (ACL `ElementwiseSquaredDiff`).
use windrow::prelude::*;

/// (a − b)² of floats.
#[kernel(step(8, 1))]
pub fn squared_difference(a: f32, b: f32) -> f32 {
    let difference = a - b;
    difference * difference
}

/// (a − b)², signed 16 bits, saturated to 32767.
#[kernel(step(8, 1))]
pub fn squared_difference_i16(a: i16, b: i16) -> i16 {
    let difference = a.abs_diff(b) as u32;
    (difference * difference).min(32767) as i16
}

/// (a − b)², signed 32 bits, modulo 2^32.
#[kernel(step(8, 1))]
pub fn squared_difference_i32(a: i32, b: i32) -> i32 {
    let difference = a.wrapping_sub(b);
    difference.wrapping_mul(difference)
}
