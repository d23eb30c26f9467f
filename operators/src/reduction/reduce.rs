//! Sums, products, means and extremes along the middle one of three dimensions (ACL `ReductionOperation`, `GEMMLowpReduction`,
//! `MinMaxLayer`, ONNX `ReduceSum`, `ReduceSumSquare`, `ReduceProd`, `ReduceMean`, `ReduceMax`, `ReduceMin`, `GlobalAveragePool`,
//! `GlobalMaxPool`).
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

/// The least src[o, a, i]; what is no number counts for nothing, and where there is nothing else +∞ is the least.
#[kernel(step(8, 1), types(T = u8, f32), window(o, i))]
pub fn reduce_min([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> T {
    let [_, length, _] = src.extents();
    let mut least = src[[o, 0, i]];
    for a in 1..length {
        least = least.min(src[[o, a, i]]);
    }
    least
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

/// Σ src[o, a, i], modulo 2³²: the sums of a matrix' rows or columns, which the zeros of quantised products ask for.
#[kernel(step(8, 1), types(T = u8, i8), window(o, i))]
pub fn reduce_sum_bytes([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> i32 {
    let [_, length, _] = src.extents();
    let mut sum: i32 = 0;
    for a in 0..length {
        sum = sum.wrapping_add(src[[o, a, i]] as i32);
    }
    sum
}
