//! Two operators of the example's own: an operator needs no more than this.

use windrow::prelude::*;

/// Salt and pepper: one element in 26 becomes white or black, by a hash of its coordinates.
#[kernel(step(16, 1))]
pub fn salt_and_pepper(p: u8) -> u8 {
    let mixed = (x() as u32).wrapping_mul(0x9E37_79B1) ^ (y() as u32).wrapping_mul(0x85EB_CA77);
    let hash = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D) >> 16;
    if hash < 1280 {
        0
    } else if hash >= 65536 - 1280 {
        255
    } else {
        p
    }
}

/// A signed gradient as gray: 128 where the picture is flat.
#[kernel(step(16, 1))]
pub fn relief(gradient: i16) -> u8 {
    ((gradient >> 2) + 128).clamp(0, 255) as u8
}
