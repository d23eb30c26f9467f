//! Images of another size, of interleaved pixels in between.
use super::places::{before, inside, mixed};
use windrow::prelude::*;

/// As `scale_bilinear` to the nearest even, of interleaved pixels with three channels.
#[kernel(step(8, 1), uses(before, inside, mixed))]
pub fn scale_bilinear3(
    [y, x]: At<2>,
    src: View<[u8; 3]>,
    #[uniform] rows: [f32; 2],
    #[uniform] columns: [f32; 2],
) -> [u8; 3] {
    let [height, width] = src.extents();
    let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
    let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
    let taps = [tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)];
    [0, 1, 2].map(|channel: usize| mixed(taps.map(|tap| tap[channel] as f32), right, below).round_ties_even() as u8)
}

/// As `scale_bilinear` to the nearest even, of interleaved pixels with four channels.
#[kernel(step(8, 1), uses(before, inside, mixed))]
pub fn scale_bilinear4(
    [y, x]: At<2>,
    src: View<[u8; 4]>,
    #[uniform] rows: [f32; 2],
    #[uniform] columns: [f32; 2],
) -> [u8; 4] {
    let [height, width] = src.extents();
    let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
    let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
    let taps = [tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)];
    [0, 1, 2, 3].map(|channel: usize| mixed(taps.map(|tap| tap[channel] as f32), right, below).round_ties_even() as u8)
}
