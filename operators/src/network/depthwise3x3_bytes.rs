//! Convolutions of bytes with 3 × 3 weights, each channel by itself, before they are scaled: the window of most networks.
//!
//! Layouts, strides and pads are those of [`depthwise_conv2d`](super::depthwise_conv2d). Elements are multiplied as unsigned bytes, 128 greater,
//! since instructions for products of bytes take one unsigned factor; the bias makes up for it: Σ (s − z) · w = Σ (s + 128) · w − (z + 128) · Σ w.
use windrow::prelude::*;

/// As `depthwise_conv2d_bytes` of i8, with 3 × 3 weights, those of the upper left where there are more.
#[kernel(
    step(8, 1),
    window(n, (h + pad[0] + pad[2] - 3) / stride[0] + 1, (w + pad[1] + pad[3] - 3) / stride[1] + 1, c)
)]
pub fn depthwise3x3_bytes(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<i8, 4>,
    #[shape(kh, kw, c)] weights: View<i8, 3>,
    #[shape(c)] bias: View<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    #[uniform] zero: i8,
) -> i32 {
    let [rows, columns, _] = weights.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let (mut sum, mut sum_of_weights) = (0i32, 0i32);
    for column in 0..3 {
        for row in 0..3 {
            let element: u8 = src.get([n, top + row, left + column, c]).unwrap_or(zero).wrapping_cast();
            let weight = weights[[row.min(rows - 1), column.min(columns - 1), c]] as i32;
            sum = sum.wrapping_add((element ^ 128) as i32 * weight);
            sum_of_weights = sum_of_weights.wrapping_add(weight);
        }
    }
    let start = bias[[c]].wrapping_sub(sum_of_weights.wrapping_mul(zero as i32 + 128));
    start.wrapping_add(sum)
}
