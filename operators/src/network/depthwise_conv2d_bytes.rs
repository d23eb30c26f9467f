//! Convolutions of bytes, each channel by itself, before they are scaled (ACL `DepthwiseConvolutionLayer` of QASYMM8, TVM
//! `qnn.conv2d`).
//!
//! Layouts, strides, dilations and pads are those of [`depthwise_conv2d`](super::depthwise_conv2d).
use windrow::prelude::*;

/// bias + Σ (src − zero) · weight over the window, channel by channel, modulo 2³²; outside the image there is `zero`.
#[kernel(
    step(8, 1),
    types(T = u8, i8),
    window(
        n,
        (h + pad[0] + pad[2] - dilation[0] * (kh - 1) - 1) / stride[0] + 1,
        (w + pad[1] + pad[3] - dilation[1] * (kw - 1) - 1) / stride[1] + 1,
        c
    )
)]
pub fn depthwise_conv2d_bytes(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<T, 4>,
    #[shape(kh, kw, c)] weights: View<i8, 3>,
    #[shape(c)] bias: View<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    #[uniform] zero: T,
) -> i32 {
    let [rows, columns, _] = weights.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let mut sum = bias[[c]];
    for row in 0..rows {
        for column in 0..columns {
            let (from_row, from_column) = (top + row * dilation[0], left + column * dilation[1]);
            let element = src.get([n, from_row, from_column, c]).unwrap_or(zero) as i32 - zero as i32;
            sum = sum.wrapping_add(element * weights[[row, column, c]] as i32);
        }
    }
    sum
}
