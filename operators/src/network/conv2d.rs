//! Convolutions of tensors whose channels follow each other, `[image, row, column, channel]` (ACL `ConvolutionLayer`, ONNX `Conv`).
//!
//! Weights are `[row, column, channel, output]`. The window of an output begins at `stride` · place − `pad`, its elements `dilation`
//! apart; outside the image there are zeros. Numbers of rows come before those of columns; `pad` is what is added above, on the left,
//! below and on the right. Tensors of other layouts are permuted views.
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
