//! The shares of powers in the sum of a row (ACL `SoftmaxLayer`, ONNX `Softmax`, `LogSoftmax`).
use windrow::prelude::*;

/// exp(x − m) / Σ exp(x − m) along a row, of which m is the greatest element.
///
/// Rows are the last dimension; those outside it, taken together, are the other one.
#[kernel(step(8, 1), window(r, c))]
pub fn softmax([r, c]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    let [_, columns] = src.extents();
    let most = greatest(0..columns, |i| src[[r, i]]);
    let power = |i: i32| (src[[r, i]] - most).exp();
    power(c) / sum(0..columns, power)
}

/// x − m − ln Σ exp(x − m) along a row, of which m is the greatest element.
///
/// Rows are the last dimension; those outside it, taken together, are the other one.
#[kernel(step(8, 1), window(r, c))]
pub fn log_softmax([r, c]: At<2>, #[shape(r, c)] src: View<f32, 2>) -> f32 {
    let [_, columns] = src.extents();
    let most = greatest(0..columns, |i| src[[r, i]]);
    let powers = sum(0..columns, |i| (src[[r, i]] - most).exp());
    src[[r, c]] - most - powers.ln()
}
