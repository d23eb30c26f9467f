//! Gaussian blur, 3×3 (OpenVX `vxGaussian3x3`).
use windrow::prelude::*;

/// 3×3 Gaussian blur with the weights `[1 2 1; 2 4 2; 1 2 1] / 16`, truncated.
#[kernel(step(16, 4), neighbourhood(x = -1..=1, y = -1..=1))]
pub fn gaussian3x3(src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8
}
