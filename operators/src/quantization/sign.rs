//! Integers of 8 bits with a sign and without one, 128 apart (the zeros of ONNX' and TFLite's quantised tensors).
use windrow::prelude::*;

/// x − 128.
#[kernel(step(16, 1))]
pub fn to_signed(x: u8) -> i8 {
    (x as i16 - 128) as i8
}

/// x + 128.
#[kernel(step(16, 1))]
pub fn to_unsigned(x: i8) -> u8 {
    (x as i16 + 128) as u8
}
