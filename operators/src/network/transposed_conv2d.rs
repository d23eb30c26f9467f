//! Transposed convolutions of tensors whose channels follow each other (ACL `DeconvolutionLayer`, ONNX `ConvTranspose`, MNN
//! `Deconvolution`).
//!
//! An element of the image at a row y is added to the rows `stride` · y − `pad` + `dilation` · row of the output, weighed by
//! `weights[row, column, channel, output]`; likewise for columns. `extra` rows and columns more are computed at the end.
use windrow::prelude::*;

/// bias + Σ src · weight over what is added to an element: rows, columns and channels in turn, each product and its sum rounded once.
#[kernel(
    step(8, 1),
    window(
        n,
        (h - 1) * stride[0] + dilation[0] * (kh - 1) + 1 - pad[0] - pad[2] + extra[0],
        (w - 1) * stride[1] + dilation[1] * (kw - 1) + 1 - pad[1] - pad[3] + extra[1],
        k
    )
)]
pub fn transposed_conv2d(
    [n, y, x, k]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[shape(kh, kw, c, k)] weights: View<f32, 4>,
    #[shape(k)] bias: View<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=15)] pad: [i32; 4],
    #[uniform(0..=15)]
    #[allow(unused_variables)]
    extra: [i32; 2],
) -> f32 {
    let [rows, columns, channels, _] = weights.extents();
    let (top, left) = (y + pad[0], x + pad[1]);
    let mut sum = bias[[k]];
    for row in 0..rows {
        for column in 0..columns {
            let (down, right) = (top - row * dilation[0], left - column * dilation[1]);
            let is_hit = down % stride[0] == 0 && right % stride[1] == 0;
            for channel in 0..channels {
                let element = src.get([n, down / stride[0], right / stride[1], channel]).unwrap_or(0.0);
                sum = (if is_hit { element } else { 0.0 }).mul_add(weights[[row, column, channel, k]], sum);
            }
        }
    }
    sum
}
