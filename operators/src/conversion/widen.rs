//! Integers as integers that hold every one of them (ACL `DepthConvertLayer`).
use windrow::prelude::*;

/// x · 2^shift of unsigned 8 bits; as signed 16 bits it is `convert_up`.
#[kernel(step(8, 1), types(T = u16, i32))]
pub fn widen_u8(x: u8, #[uniform(0..=7)] shift: u32) -> T {
    (x as T) << shift
}

/// x · 2^shift of signed 8 bits.
#[kernel(step(8, 1), types(T = i16, i32))]
pub fn widen_i8(x: i8, #[uniform(0..=7)] shift: u32) -> T {
    (x as T) << shift
}

/// x · 2^shift of 16 bits, as signed 32 bits.
#[kernel(step(8, 1), types(T = u16, i16))]
pub fn widen_to_i32(x: T, #[uniform(0..=15)] shift: u32) -> i32 {
    (x as i32) << shift
}
