//! Kernels that stand in no library, but beside a peer's: the same weights, the same rounding.

use windrow::prelude::*;

/// 5×5 convolution with constant weights.
#[kernel(step(8, 4))]
pub fn convolve5x5_f32(src: Neighbourhood<f32>) -> f32 {
    const K: [[f32; 5]; 5] = [
        [0.0078125, 0.015625, 0.0234375, 0.015625, 0.0078125],
        [0.015625, 0.03125, 0.046875, 0.03125, 0.015625],
        [0.0234375, 0.046875, 0.0703125, 0.046875, 0.0234375],
        [0.015625, 0.03125, 0.046875, 0.03125, 0.015625],
        [0.0078125, 0.015625, 0.0234375, 0.015625, 0.0078125],
    ];
    let mut sum = 0.0;
    for (row, weights) in src.window::<5, 5>().into_iter().zip(K) {
        for (pixel, weight) in row.into_iter().zip(weights) {
            sum = pixel.mul_add(weight, sum);
        }
    }
    sum
}
