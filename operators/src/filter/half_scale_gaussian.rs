//! Gaussian blur and every second element (OpenVX `vxHalfScaleGaussian`); the element taken is that at (2x, 2y).
use windrow::prelude::*;

/// Half scale after the 3×3 Gaussian, / 16 truncated.
#[kernel(step(16, 2))]
pub fn half_scale_gaussian3x3(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8
}

/// Half scale after the 5×5 Gaussian, / 256 truncated.
#[kernel(step(16, 2))]
pub fn half_scale_gaussian5x5(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 {
    const K: [u16; 5] = [1, 4, 6, 4, 1];
    let mut sum = 0;
    for (dy, wy) in (-2..=2).zip(K) {
        let mut row = 0;
        for (dx, wx) in (-2..=2).zip(K) {
            row += wx * src.at(dx, dy) as u16;
        }
        sum += wy * row;
    }
    (sum >> 8) as u8
}

/// Half scale with no filter: the element at (2x, 2y).
#[kernel(step(16, 1))]
pub fn half_scale_nearest(#[stride(2, 2)] x: u8) -> u8 {
    x
}
