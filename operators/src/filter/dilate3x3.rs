//! Dilation (OpenVX `vxDilate3x3`).
use windrow::prelude::*;

/// The greatest of 3×3 elements.
#[kernel(step(16, 2))]
pub fn dilate3x3(src: Neighbourhood<u8>) -> u8 {
    let mut greatest = u8::MIN;
    for dy in -1..=1 {
        for dx in -1..=1 {
            greatest = greatest.max(src.at(dx, dy));
        }
    }
    greatest
}
