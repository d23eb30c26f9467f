//! Sums, products and means along the middle one of three dimensions (ACL `ReductionOperation`, ONNX
//! `ReduceSum`, `ReduceSumSquare`, `ReduceProd`, `ReduceMean`, `GlobalAveragePool`).
//!
//! The dimensions outside and inside it are views of others: the mean of a tensor's images over rows and columns is that of
//! `[image, row · column, channel]`.
use windrow::prelude::*;

/// Σ src[o, a, i], from a = 0 on, each sum rounded.
#[kernel(step(8, 1), window(o, i))]
pub fn reduce_sum([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> f32 {
    let [_, length, _] = src.extents();
    let mut sum = 0.0;
    for a in 0..length {
        sum += src[[o, a, i]];
    }
    sum
}

/// Σ src[o, a, i] / n, from a = 0 on, each sum rounded, and the quotient.
#[kernel(step(8, 1), window(o, i))]
pub fn reduce_mean([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> f32 {
    let [_, length, _] = src.extents();
    let mut sum = 0.0;
    for a in 0..length {
        sum += src[[o, a, i]];
    }
    sum / length as f32
}

/// Π src[o, a, i], from a = 0 on, each product rounded.
#[kernel(step(8, 1), window(o, i))]
pub fn reduce_product([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> f32 {
    let [_, length, _] = src.extents();
    let mut product = 1.0;
    for a in 0..length {
        product *= src[[o, a, i]];
    }
    product
}

/// Σ src[o, a, i]², from a = 0 on, each square and its sum rounded once.
#[kernel(step(8, 1), window(o, i))]
pub fn reduce_sum_of_squares([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> f32 {
    let [_, length, _] = src.extents();
    let mut sum = 0.0;
    for a in 0..length {
        let element = src[[o, a, i]];
        sum = element.mul_add(element, sum);
    }
    sum
}
