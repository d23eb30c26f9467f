//! Transposed convolutions of each channel by itself (MNN `DeconvolutionDepthwise`).
//!
//! Weights are `[row, column, channel]`; strides, dilations and pads are those of [`transposed_conv2d`](super::transposed_conv2d).
use windrow::prelude::*;

/// bias + Σ src · weight over what is added to an element, channel by channel: rows and columns in turn, each product and its sum
/// rounded once.
#[kernel(
    step(8, 1),
    window(
        n,
        (h - 1) * stride[0] + dilation[0] * (kh - 1) + 1 - pad[0] - pad[2] + extra[0],
        (w - 1) * stride[1] + dilation[1] * (kw - 1) + 1 - pad[1] - pad[3] + extra[1],
        c
    )
)]
pub fn transposed_depthwise_conv2d(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(kh, kw, c)] weights: View<f32, 3>,
    #[shape(c)] bias: View<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=15)] pad: [i32; 4],
    #[uniform(0..=15)]
    #[allow(unused_variables)]
    extra: [i32; 2],
) -> f32 {
    let [rows, columns, _] = weights.extents();
    let (top, left) = (y + pad[0], x + pad[1]);
    let mut sum = bias[[c]];
    for row in 0..rows {
        for column in 0..columns {
            let (down, right) = (top - row * dilation[0], left - column * dilation[1]);
            let is_hit = down % stride[0] == 0 && right % stride[1] == 0;
            let element = src.get([n, down / stride[0], right / stride[1], c]).unwrap_or(0.0);
            sum = (if is_hit { element } else { 0.0 }).mul_add(weights[[row, column, c]], sum);
        }
    }
    sum
}
