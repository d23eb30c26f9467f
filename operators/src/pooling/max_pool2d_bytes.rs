//! The greatest elements of windows of bytes whose channels follow each other, `[image, row, column, channel]` (TFLite
//! `MAX_POOL_2D`).
//!
//! Windows, strides and pads are those of [`max_pool2d`](super::max_pool2d).
use windrow::prelude::*;

/// The greatest element of a window, channel by channel, between two bounds; the least number of the type where none lies inside.
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
pub fn max_pool2d_bytes(
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
    let mut greatest = T::MIN;
    for row in top.max(0)..(top + window[0]).min(rows) {
        for column in left.max(0)..(left + window[1]).min(columns) {
            greatest = src.get([n, row, column, c]).map_or(greatest, |element| element.max(greatest));
        }
    }
    greatest.max(lower).min(upper)
}
