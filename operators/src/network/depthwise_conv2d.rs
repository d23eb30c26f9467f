//! Convolutions of each channel by itself (ACL `DepthwiseConvolutionLayer`, ONNX `Conv` of as many groups as channels).
//!
//! Weights are `[row, column, channel]`; layouts, strides, dilations and pads are those of [`conv2d`](super::conv2d).
use windrow::prelude::*;

/// bias + Σ src · weight over the window, channel by channel: rows and columns in turn, each product and its sum rounded once.
#[kernel(
    step(8, 1),
    window(
        n,
        (h + pad[0] + pad[2] - dilation[0] * (kh - 1) - 1) / stride[0] + 1,
        (w + pad[1] + pad[3] - dilation[1] * (kw - 1) - 1) / stride[1] + 1,
        c
    )
)]
pub fn depthwise_conv2d(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(kh, kw, c)] weights: View<f32, 3>,
    #[shape(c)] bias: View<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
) -> f32 {
    let [rows, columns, _] = weights.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let mut sum = bias[[c]];
    for row in 0..rows {
        for column in 0..columns {
            let (from_row, from_column) = (top + row * dilation[0], left + column * dilation[1]);
            let element = src.get([n, from_row, from_column, c]).unwrap_or(0.0);
            sum = element.mul_add(weights[[row, column, c]], sum);
        }
    }
    sum
}
