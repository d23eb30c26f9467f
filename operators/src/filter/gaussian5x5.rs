//! Gaussian blur, 5×5 (a level of OpenVX's `vxGaussianPyramid`).
use windrow::prelude::*;

/// 5×5 Gaussian blur with the weights `[1 4 6 4 1]ᵀ[1 4 6 4 1] / 256`, truncated.
#[kernel(step(16, 4))]
pub fn gaussian5x5(src: Neighbourhood<u8>) -> u8 {
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
