//! Rows in terms of their own mean, deviation and length (ONNX `LayerNormalization`, `InstanceNormalization`, `RMSNormalization`,
//! `LpNormalization`).
use windrow::prelude::*;

/// (x − mean) / √(variance + epsilon) · scale + bias along a row, with a scale and a bias for each column.
///
/// Rows are the last dimension; those outside it, taken together, are the other one.
#[kernel(step(8, 1), window(r, c))]
pub fn layer_norm(
    [r, c]: At<2>,
    #[shape(r, c)] src: View<f32, 2>,
    #[shape(c)] scale: View<f32, 1>,
    #[shape(c)] bias: View<f32, 1>,
    #[uniform] epsilon: f32,
) -> f32 {
    let [_, columns] = src.extents();
    let mean = sum(0..columns, |i| src[[r, i]]) / columns as f32;
    let variance = sum(0..columns, |i| (src[[r, i]] - mean) * (src[[r, i]] - mean)) / columns as f32;
    (src[[r, c]] - mean) / (variance + epsilon).sqrt() * scale[[c]] + bias[[c]]
}

/// The same with a scale and a bias for each row.
///
/// A channel of an image is a row: all of its elements.
#[kernel(step(8, 1), window(r, c))]
pub fn instance_norm(
    [r, c]: At<2>,
    #[shape(r, c)] src: View<f32, 2>,
    #[shape(r)] scale: View<f32, 1>,
    #[shape(r)] bias: View<f32, 1>,
    #[uniform] epsilon: f32,
) -> f32 {
    let [_, columns] = src.extents();
    let mean = sum(0..columns, |i| src[[r, i]]) / columns as f32;
    let variance = sum(0..columns, |i| (src[[r, i]] - mean) * (src[[r, i]] - mean)) / columns as f32;
    (src[[r, c]] - mean) / (variance + epsilon).sqrt() * scale[[r]] + bias[[r]]
}

/// x / √(mean of squares + epsilon) · scale along a row, with a scale for each column.
#[kernel(step(8, 1), window(r, c))]
pub fn rms_norm(
    [r, c]: At<2>,
    #[shape(r, c)] src: View<f32, 2>,
    #[shape(c)] scale: View<f32, 1>,
    #[uniform] epsilon: f32,
) -> f32 {
    let [_, columns] = src.extents();
    let squares = sum(0..columns, |i| src[[r, i]] * src[[r, i]]) / columns as f32;
    src[[r, c]] / (squares + epsilon).sqrt() * scale[[c]]
}

/// x / √Σ x² along a row; of a row of zeros, 0.
#[kernel(step(8, 1), window(r, c))]
pub fn row_l2_normalize([r, c]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    let [_, columns] = src.extents();
    let squares = sum(0..columns, |i| src[[r, i]] * src[[r, i]]);
    if squares == 0.0 { 0.0 } else { src[[r, c]] / squares.sqrt() }
}
