//! Bitwise and (OpenVX `vxAnd`).
use windrow::prelude::*;

/// a & b, bit by bit.
#[kernel(step(32, 1))]
pub fn bitwise_and(a: u8, b: u8) -> u8 {
    a & b
}
