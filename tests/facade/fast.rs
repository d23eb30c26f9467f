//! Kernels that say `fast`: contracted where the machine multiplies and adds at once, and near the author's function
//! on every target.

use windrow::prelude::*;

/// A blur whose sums may be contracted, divided by a value of the run.
#[kernel(fast, step(8, 1))]
pub fn soften(src: Neighbourhood<f32>, #[uniform(1.0..=16.0)] total: f32) -> f32 {
    let column = |dx| 0.25 * src.at(dx, -1) + 0.5 * src.at(dx, 0) + 0.25 * src.at(dx, 1);
    (0.3 * column(-1) + 0.7 * column(0) - 0.1 * column(1)) / total
}

/// A float on its way to a byte.
#[kernel(fast, step(16, 1))]
pub fn expose(a: u8, #[uniform(0.0..=2.0)] gain: f32, #[uniform(-8.0..=8.0)] bias: f32) -> u8 {
    (a as f32 * gain + bias) as u8
}
