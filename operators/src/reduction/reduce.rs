//! Sums, means and greatest elements along the middle one of three dimensions (ACL `ReductionOperation`, ONNX `ReduceSum`,
//! `ReduceMean`, `ReduceMax`, `GlobalAveragePool`, `GlobalMaxPool`).
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

/// The greatest src[o, a, i]; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.
#[kernel(step(8, 1), types(T = u8, f32), window(o, i))]
pub fn reduce_max([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> T {
    let [_, length, _] = src.extents();
    let mut greatest = src[[o, 0, i]];
    for a in 1..length {
        greatest = greatest.max(src[[o, a, i]]);
    }
    greatest
}
