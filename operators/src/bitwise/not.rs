//! Bitwise complement (OpenVX `vxNot`).
use windrow::prelude::*;

/// !a, bit by bit.
#[kernel(step(32, 1))]
pub fn bitwise_not(a: u8) -> u8 {
    !a
}
