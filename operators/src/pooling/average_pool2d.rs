//! Means of windows of tensors whose channels follow each other, `[image, row, column, channel]` (ACL `PoolingLayer`, ONNX
//! `AveragePool`).
//!
//! A window begins at `stride` · place − `pad`; what lies outside the image is left out. Numbers of rows come before those of columns;
//! `pad` is what is added above, on the left, below and on the right.
use windrow::prelude::*;

/// The mean of the elements of a window, channel by channel, added row by row. With `count_pad` 1 it is the sum over the size of the window, what
/// lies outside the image counting as 0; else NaN where none lies inside.
#[kernel(
    step(8, 1),
    window(
        n,
        (h + pad[0] + pad[2] - window[0]) / stride[0] + 1,
        (w + pad[1] + pad[3] - window[1]) / stride[1] + 1,
        c
    )
)]
pub fn average_pool2d(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<f32, 4>,
    #[uniform(1..=255)] window: [i32; 2],
    #[uniform(1..=64)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    #[uniform(0..=1)] count_pad: i32,
) -> f32 {
    let [_, rows, columns, _] = src.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let (mut sum, mut count) = (0.0, 0);
    for row in top.max(0)..(top + window[0]).min(rows) {
        for column in left.max(0)..(left + window[1]).min(columns) {
            sum += src.get([n, row, column, c]).unwrap_or(0.0);
            count += 1;
        }
    }
    sum / (if count_pad == 1 { window[0] * window[1] } else { count }) as f32
}
