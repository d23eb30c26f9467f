//! Images through a map of the plane, of nearest elements (OpenVX `vxWarpAffine` and `vxWarpPerspective`, ACL `Warp`, OpenCV
//! `warpPerspective`).
use super::places::{inside, projected};
use windrow::prelude::*;

/// The element nearest to where the matrix takes (x, y, 1); of two the one behind. Where there is none, the constant.
#[kernel(step(8, 1), uses(projected))]
pub fn warp_nearest(at: At<2>, src: View<u8>, #[uniform] matrix: [[f32; 3]; 3], #[uniform] constant: u8) -> u8 {
    let [u, v] = projected(at, matrix);
    src.get([(v + 0.5).floor() as i32, (u + 0.5).floor() as i32]).unwrap_or(constant)
}

/// As `warp_nearest`; where there is no such element, the nearest inside.
#[kernel(step(8, 1), uses(projected, inside))]
pub fn warp_nearest_replicate(at: At<2>, src: View<u8>, #[uniform] matrix: [[f32; 3]; 3]) -> u8 {
    let [u, v] = projected(at, matrix);
    let [height, width] = src.extents();
    src[[inside((v + 0.5).floor() as i32, height), inside((u + 0.5).floor() as i32, width)]]
}
