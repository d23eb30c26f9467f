//! Where elements of another image come from, and what they weigh: what the kernels of this folder share.
use windrow::prelude::*;

/// (u / w, v / w), where u, v and w are the rows of the matrix times (x, y, 1).
#[helper]
pub(super) fn projected([y, x]: [i32; 2], matrix: [[f32; 3]; 3]) -> [f32; 2] {
    let [u, v, w] = matrix.map(|[a, b, c]| x as f32 * a + y as f32 * b + c);
    [(u / w).max(-1e9).min(1e9), (v / w).max(-1e9).min(1e9)]
}

/// The element before i · scale + offset, and how far behind it this lies.
#[helper]
pub(super) fn before(i: i32, [scale, offset]: [f32; 2]) -> (i32, f32) {
    let place = (i as f32 * scale + offset).max(-1e9).min(1e9);
    (place.floor() as i32, place - place.floor())
}

/// The element of an extent that is nearest to one that may lie outside.
#[helper]
pub(super) fn inside(i: i32, extent: i32) -> i32 {
    i.max(0).min(extent - 1)
}

/// The sum of upper left, upper right, lower left and lower right, each times its weights.
#[helper]
pub(super) fn mixed([a, b, c, d]: [f32; 4], right: f32, below: f32) -> f32 {
    let (left, above) = (1.0 - right, 1.0 - below);
    a * left * above + b * right * above + c * left * below + d * right * below
}
