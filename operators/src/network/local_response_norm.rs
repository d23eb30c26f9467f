//! Elements in proportion to those of the neighbouring channels (ACL `NormalizationLayer` across maps, ONNX `LRN`).
use windrow::prelude::*;

/// x / (bias + factor · Σ x²)^beta, along the middle one of three dimensions: the sum is of `size` elements, as many before the own as behind
/// it, of an even size one more behind; those outside the tensor are 0. ONNX' `alpha` is `size` · factor.
#[kernel(step(8, 1), window(o, m, i))]
pub fn local_response_norm(
    [o, a, i]: At<3>,
    #[shape(o, m, i)] src: View<f32, 3>,
    #[uniform(1..=255)] size: i32,
    #[uniform] factor: f32,
    #[uniform] beta: f32,
    #[uniform] bias: f32,
) -> f32 {
    let [_, length, _] = src.extents();
    let mut squares = 0.0;
    for near in (a - (size - 1) / 2).max(0)..(a + size / 2 + 1).min(length) {
        let element = src.get([o, near, i]).unwrap_or(0.0);
        squares = element.mul_add(element, squares);
    }
    src[[o, a, i]] / (bias + factor * squares).powf(beta)
}
