//! Twice the size by the 5×5 Gaussian (a step of OpenVX `vxLaplacianPyramid` and `vxLaplacianReconstruct`).
use windrow::prelude::*;

/// 4 · (`[1 4 6 4 1]ᵀ[1 4 6 4 1]` / 256), the quotient truncated, over the source's elements at even rows and columns, and zeros
/// elsewhere. Of the source, whose edge is replicated, that is (1, 6, 1) / 16 at even places and (4, 4) / 16 between two elements.
#[kernel(step(16, 1))]
pub fn upsample_gaussian5x5([y, x]: At<2>, src: View<u8>) -> u8 {
    let [height, width] = src.extents();
    let weights = |at: i32| if at % 2 == 0 { [1u16, 6, 1] } else { [0, 4, 4] };
    let mut sum = 0;
    for (dy, wy) in (-1..=1).zip(weights(y)) {
        for (dx, wx) in (-1..=1).zip(weights(x)) {
            let (row, column) = ((y / 2 + dy).clamp(0, height - 1), (x / 2 + dx).clamp(0, width - 1));
            sum += wy * wx * src[[row, column]] as u16;
        }
    }
    (4 * (sum / 256)).saturating_cast()
}
