//! Convolutions of bytes, before they are scaled (ACL `ConvolutionLayer` of QASYMM8, ONNX `ConvInteger`).
//!
//! Layouts, strides, dilations and pads are those of [`conv2d`](super::conv2d).
use windrow::prelude::*;

/// bias + Σ (src − zero) · weight over the window and its channels, modulo 2³²; outside the image there is `zero`.
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
