//! Luma of an RGB image.
use windrow::prelude::*;

/// (54 r + 183 g + 19 b) / 256: the BT.709 weights in 8 bits, truncated.
#[kernel(step(16, 1))]
pub fn rgb_to_gray([r, g, b]: [u8; 3]) -> u8 {
    ((54 * r as u16 + 183 * g as u16 + 19 * b as u16) >> 8) as u8
}
