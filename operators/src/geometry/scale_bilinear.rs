//! Images of another size, of elements in between (OpenVX `vxScaleImage`, ACL `Scale`, ONNX `Resize`).
use super::places::{before, inside, mixed};
use windrow::prelude::*;

/// The four elements around (x · scale + offset, y · scale + offset), by their weights; outside, each is the nearest inside. The
/// place is counted from the centre of the first; `rows` and `columns` are [scale, offset].
#[kernel(step(8, 1), uses(before, inside, mixed), types(T = u8, i16))]
pub fn scale_bilinear(
    [y, x]: At<2>,
    src: View<T>,
    #[uniform] rows: [f32; 2],
    #[uniform] columns: [f32; 2],
    #[variant] rounding: Rounding,
) -> T {
    let [height, width] = src.extents();
    let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
    let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]] as f32;
    let sum = mixed([tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)], right, below);
    match rounding {
        Rounding::TowardZero => sum.saturating_cast(),
        Rounding::NearestEven => sum.round_ties_even().saturating_cast(),
    }
}

/// As `scale_bilinear`, of floats.
#[kernel(step(8, 1), uses(before, inside, mixed))]
pub fn scale_bilinear_f32(
    [y, x]: At<2>,
    src: View<f32>,
    #[uniform] rows: [f32; 2],
    #[uniform] columns: [f32; 2],
) -> f32 {
    let [height, width] = src.extents();
    let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
    let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
    mixed([tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)], right, below)
}
