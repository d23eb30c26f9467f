//! Sums, norms and extremes of rows (ONNX `ReduceSum`, `ReduceMean`, `ReduceL1`, `ReduceL2`, `ReduceSumSquare`, `ReduceLogSumExp`,
//! `ReduceMin`, `ReduceMax`).
//!
//! Rows are the last dimension; those outside it, taken together, are the other one. The sums are those of the language: in lanes.
use windrow::prelude::*;

/// Σ x along a row.
#[kernel(window(r, 1))]
pub fn row_sum([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    sum(0..src.extents()[1], |i| src[[r, i]])
}

/// Σ x / n along a row.
#[kernel(window(r, 1))]
pub fn row_mean([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    let [_, columns] = src.extents();
    sum(0..columns, |i| src[[r, i]]) / columns as f32
}

/// Σ |x| along a row.
#[kernel(window(r, 1))]
pub fn row_l1([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    sum(0..src.extents()[1], |i| src[[r, i]].abs())
}

/// Σ x² along a row.
#[kernel(window(r, 1))]
pub fn row_sum_of_squares([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    sum(0..src.extents()[1], |i| src[[r, i]] * src[[r, i]])
}

/// √Σ x² along a row.
#[kernel(window(r, 1))]
pub fn row_l2([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    sum(0..src.extents()[1], |i| src[[r, i]] * src[[r, i]]).sqrt()
}

/// m + ln Σ exp(x − m) along a row, of which m is the greatest element.
#[kernel(window(r, 1))]
pub fn row_log_sum_exp([r, _]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    let [_, columns] = src.extents();
    let most = greatest(0..columns, |i| src[[r, i]]);
    most + sum(0..columns, |i| (src[[r, i]] - most).exp()).ln()
}

/// The least x of a row; what is no number counts for nothing, and where there is nothing else +∞ is the least.
#[kernel(types(T = u8, f32), window(r, 1))]
pub fn row_least([r, _]: At<2>, #[shape(r, c)] src: View<T, 2>) -> T {
    least(0..src.extents()[1], |i| src[[r, i]])
}

/// The greatest x of a row; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.
#[kernel(types(T = u8, f32), window(r, 1))]
pub fn row_greatest([r, _]: At<2>, #[shape(r, c)] src: View<T, 2>) -> T {
    greatest(0..src.extents()[1], |i| src[[r, i]])
}
