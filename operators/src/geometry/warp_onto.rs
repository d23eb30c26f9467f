//! Images through a map of the plane, onto others (OpenVX' warps with an undefined border, OpenCV's with a transparent one).
use super::places::{mixed, projected};
use windrow::prelude::*;

/// As `warp_nearest`; where there is no such element, the output keeps what it held.
#[kernel(step(8, 1), uses(projected))]
pub fn warp_nearest_onto(at: At<2>, src: View<u8>, #[inout] out: u8, #[uniform] matrix: [[f32; 3]; 3]) -> u8 {
    let [u, v] = projected(at, matrix);
    src.get([(v + 0.5).floor() as i32, (u + 0.5).floor() as i32]).unwrap_or(out)
}

/// As `warp_bilinear`; where one of the four elements is missing, the output keeps what it held.
#[kernel(step(8, 1), uses(projected, mixed))]
pub fn warp_bilinear_onto(
    at: At<2>,
    src: View<u8>,
    #[inout] out: u8,
    #[uniform] matrix: [[f32; 3]; 3],
    #[uniform(0.0..=0.5)] bias: f32,
) -> u8 {
    let [u, v] = projected(at, matrix);
    let tap = |dy: i32, dx: i32| src.get([v.floor() as i32 + dy, u.floor() as i32 + dx]);
    let value = |dy: i32, dx: i32| tap(dy, dx).unwrap_or(0) as f32;
    let sum = mixed([value(0, 0), value(0, 1), value(1, 0), value(1, 1)], u - u.floor(), v - v.floor());
    if tap(0, 0).is_some() && tap(1, 1).is_some() { (sum + bias) as u8 } else { out }
}
