//! Box filter (OpenVX `vxBox3x3`).
use windrow::prelude::*;

/// The mean of 3×3 elements, truncated.
#[kernel(step(16, 4))]
pub fn box3x3(src: Neighbourhood<u8>) -> u8 {
    let mut sum = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += src.at(dx, dy) as u16;
        }
    }
    (sum / 9) as u8
}
