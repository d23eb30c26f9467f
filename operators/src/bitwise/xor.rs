//! Bitwise xor (OpenVX `vxXor`).
use windrow::prelude::*;

/// a ^ b, bit by bit.
#[kernel(step(32, 1))]
pub fn bitwise_xor(a: u8, b: u8) -> u8 {
    a ^ b
}
