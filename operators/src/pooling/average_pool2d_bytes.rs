//! Means of windows of bytes whose channels follow each other, `[image, row, column, channel]` (TFLite `AVERAGE_POOL_2D`).
//!
//! Windows, strides and pads are those of [`average_pool2d`](super::average_pool2d).
use windrow::prelude::*;

/// The mean of the elements of a window that lie inside the image, channel by channel, to the nearest whole number, halves away from
/// zero, between two bounds; where none lies inside, 0 between them.
#[kernel(
    step(8, 1),
    types(T = u8, i8),
    window(
        n,
        (h + pad[0] + pad[2] - window[0]) / stride[0] + 1,
        (w + pad[1] + pad[3] - window[1]) / stride[1] + 1,
        c
    )
)]
pub fn average_pool2d_bytes(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<T, 4>,
    #[uniform(1..=255)] window: [i32; 2],
    #[uniform(1..=64)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    #[uniform] lower: T,
    #[uniform] upper: T,
) -> T {
    let [_, rows, columns, _] = src.extents();
    let (top, left) = (y * stride[0] - pad[0], x * stride[1] - pad[1]);
    let (mut sum, mut count) = (0, 0);
    for row in top.max(0)..(top + window[0]).min(rows) {
        for column in left.max(0)..(left + window[1]).min(columns) {
            sum += src.get([n, row, column, c]).unwrap_or(0) as i32;
            count += 1;
        }
    }
    let half = if sum > 0 { count / 2 } else { -(count / 2) };
    let mean: T = ((sum + half) / count.max(1)).saturating_cast();
    mean.max(lower).min(upper)
}
