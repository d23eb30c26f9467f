//! Convolutions of tensors whose channels follow each other, `[image, row, column, channel]` (ACL `ConvolutionLayer`,
//! `DepthwiseConvolutionLayer`, ONNX `Conv`).
//!
//! Weights are `[row, column, channel, output]`, of depthwise ones `[row, column, channel]`. The window of an output begins at
//! `stride` · place − `pad`, its elements `dilation` apart; outside the image there are zeros. Numbers of rows come before those of
//! columns; `pad` is what is added above, on the left, below and on the right. Tensors of other layouts are permuted views.
use windrow::prelude::*;

/// bias + Σ src · weight over the window and its channels: rows, columns and channels in turn, each product and its sum rounded once.
#[kernel(
    step(8, 1),
    window(
        n,
        (h + pad[0] + pad[2] - dilation[0] * (kh - 1) - 1) / stride[0] + 1,
        (w + pad[1] + pad[3] - dilation[1] * (kw - 1) - 1) / stride[1] + 1,
        k
    )
)]
pub fn conv2d(
    [n, y, x, k]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(kh, kw, c, k)] weights: View<f32, 4>,
    #[shape(k)] bias: View<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
) -> f32 {
    let [rows, columns, channels, _] = weights.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let mut sum = bias[[k]];
    for row in 0..rows {
        for column in 0..columns {
            let (from_row, from_column) = (top + row * dilation[0], left + column * dilation[1]);
            for channel in 0..channels {
                let element = src.get([n, from_row, from_column, channel]).unwrap_or(0.0);
                sum = element.mul_add(weights[[row, column, channel, k]], sum);
            }
        }
    }
    sum
}

/// As [`conv2d`] of bytes, modulo 2³².
#[kernel(
    step(8, 1),
    types(T = u8, i8),
    window(
        n,
        (h + pad[0] + pad[2] - dilation[0] * (kh - 1) - 1) / stride[0] + 1,
        (w + pad[1] + pad[3] - dilation[1] * (kw - 1) - 1) / stride[1] + 1,
        k
    )
)]
pub fn conv2d_bytes(
    [n, y, x, k]: At<4>,
    #[shape(n, h, w, c)] src: View<T, 4>,
    #[shape(kh, kw, c, k)] weights: View<i8, 4>,
    #[shape(k)] bias: View<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    #[uniform] zero: T,
) -> i32 {
    let [rows, columns, channels, _] = weights.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let mut sum = bias[[k]];
    for row in 0..rows {
        for column in 0..columns {
            let (from_row, from_column) = (top + row * dilation[0], left + column * dilation[1]);
            for channel in 0..channels {
                let element = src.get([n, from_row, from_column, channel]).unwrap_or(zero) as i32 - zero as i32;
                sum = sum.wrapping_add(element * weights[[row, column, channel, k]] as i32);
            }
        }
    }
    sum
}

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
