//! Depthwise convolution of planes with 3×3 weights (ACL `DepthwiseConvolutionLayer3x3`).
//!
//! Each channel has three rows of weights and a bias: tensors of C × 1 × 1. The border to give is the constant 0.
use windrow::prelude::*;

/// bias + Σ src · weight, from the upper left on, each product rounded and each sum.
#[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
pub fn depthwise3x3(src: Neighbourhood<f32>, top: [f32; 3], middle: [f32; 3], bottom: [f32; 3], bias: f32) -> f32 {
    let mut sum = bias;
    for (dy, row) in (-1..=1).zip([top, middle, bottom]) {
        for (dx, weight) in (-1..=1).zip(row) {
            sum += src.at(dx, dy) * weight;
        }
    }
    sum
}

/// As `depthwise3x3`, at every second element of every second row.
#[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
pub fn depthwise3x3_stride2(
    #[stride(2, 2)] src: Neighbourhood<f32>,
    top: [f32; 3],
    middle: [f32; 3],
    bottom: [f32; 3],
    bias: f32,
) -> f32 {
    let mut sum = bias;
    for (dy, row) in (-1..=1).zip([top, middle, bottom]) {
        for (dx, weight) in (-1..=1).zip(row) {
            sum += src.at(dx, dy) * weight;
        }
    }
    sum
}
