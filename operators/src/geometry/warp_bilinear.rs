//! Images through a map of the plane, of elements in between (OpenVX `vxWarpAffine` and `vxWarpPerspective`, ACL `Warp`, OpenCV
//! `warpPerspective`).
use super::places::{inside, mixed, projected};
use windrow::prelude::*;

/// The four elements around where the matrix takes (x, y, 1), by their weights in `f32`, in which the constant takes part. To the
/// sum `bias` is added before its fraction is cut off: 0.5 rounds to the nearest, of two to the greater.
#[kernel(step(8, 1), uses(projected, mixed))]
pub fn warp_bilinear(
    at: At<2>,
    src: View<u8>,
    #[uniform] matrix: [[f32; 3]; 3],
    #[uniform] constant: u8,
    #[uniform(0.0..=0.5)] bias: f32,
) -> u8 {
    let [u, v] = projected(at, matrix);
    let (row, column) = (v.floor() as i32, u.floor() as i32);
    let taps = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| src.get([row + j, column + i]).unwrap_or(constant));
    (mixed(taps.map(|tap| tap as f32), u - u.floor(), v - v.floor()) + bias) as u8
}

/// As `warp_bilinear`; where one of the four elements is missing, the nearest inside stands for it.
#[kernel(step(8, 1), uses(projected, inside, mixed))]
pub fn warp_bilinear_replicate(
    at: At<2>,
    src: View<u8>,
    #[uniform] matrix: [[f32; 3]; 3],
    #[uniform(0.0..=0.5)] bias: f32,
) -> u8 {
    let [height, width] = src.extents();
    let [u, v] = projected(at, matrix);
    let (row, column) = (v.floor() as i32, u.floor() as i32);
    let tap = |j: i32, i: i32| src[[inside(row + j, height), inside(column + i, width)]];
    let taps = [tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)];
    (mixed(taps.map(|tap| tap as f32), u - u.floor(), v - v.floor()) + bias) as u8
}
