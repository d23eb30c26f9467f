//! Layers that are connected fully (ACL `FullyConnectedLayer`, ONNX `Gemm`, MNN `InnerProduct`).
use windrow::prelude::*;

/// bias + Σ src[n, c] · weights[c, k], from c = 0 on, each product and its sum rounded once. Transposed weights are a permuted view.
#[kernel(step(8, 1), window(n, k))]
pub fn dense(
    [n, k]: At<2>,
    #[shape(n, c)] src: View<f32, 2>,
    #[shape(c, k)] weights: View<f32, 2>,
    #[shape(k)] bias: View<f32, 1>,
) -> f32 {
    let [_, channels] = src.extents();
    let mut sum = bias[[k]];
    for channel in 0..channels {
        sum = src[[n, channel]].mul_add(weights[[channel, k]], sum);
    }
    sum
}
