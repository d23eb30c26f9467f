//! Erosion (OpenVX `vxErode3x3`).
use windrow::prelude::*;

/// The least of 3×3 elements.
#[kernel(step(16, 2))]
pub fn erode3x3(src: Neighbourhood<u8>) -> u8 {
    let mut least = u8::MAX;
    for dy in -1..=1 {
        for dx in -1..=1 {
            least = least.min(src.at(dx, dy));
        }
    }
    least
}
