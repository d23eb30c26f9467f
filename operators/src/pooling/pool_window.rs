//! Pooling of planes over windows of any size (ACL `PoolingLayer`, ONNX `MaxPool` and `AveragePool`).
//!
//! The caller gives the output. A window begins at `stride` · place − `pad`; what lies outside the plane is left out. Numbers of rows
//! come before those of columns.
use windrow::prelude::*;

/// The greatest element of a window; −∞ where none lies inside.
#[kernel(step(8, 1))]
pub fn max_pool(
    [y, x]: At<2>,
    src: View<f32>,
    #[uniform(1..=255)] window: [i32; 2],
    #[uniform(1..=64)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 2],
) -> f32 {
    let [rows, _] = src.extents();
    let (top, left) = (y.min(0xff_ffff) * stride[0] - pad[0], x.min(0xff_ffff) * stride[1] - pad[1]);
    let mut greatest = f32::NEG_INFINITY;
    for row in top.max(0)..(top + window[0]).min(rows) {
        for column in left..left + window[1] {
            greatest = src.get([row, column]).map_or(greatest, |element| element.max(greatest));
        }
    }
    greatest
}

/// The mean of the elements of a window, added row by row; NaN where none lies inside.
#[kernel(step(8, 1))]
pub fn average_pool(
    [y, x]: At<2>,
    src: View<f32>,
    #[uniform(1..=255)] window: [i32; 2],
    #[uniform(1..=64)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 2],
) -> f32 {
    let [rows, _] = src.extents();
    let (top, left) = (y.min(0xff_ffff) * stride[0] - pad[0], x.min(0xff_ffff) * stride[1] - pad[1]);
    let (mut sum, mut count) = (0.0, 0);
    for row in top.max(0)..(top + window[0]).min(rows) {
        for column in left..left + window[1] {
            if let Some(element) = src.get([row, column]) {
                sum += element;
                count += 1;
            }
        }
    }
    sum / count as f32
}
