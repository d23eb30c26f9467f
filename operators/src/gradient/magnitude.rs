//! Magnitude of a gradient (OpenVX `vxMagnitude`).
use windrow::prelude::*;

/// √(x² + y²) rounded to nearest, at most 32767: exact, by an integer square root.
#[kernel(step(8, 1))]
pub fn magnitude(x: i16, y: i16) -> i16 {
    let square = |v: i16| v.unsigned_abs() as u32 * v.unsigned_abs() as u32;
    let z = square(x) + square(y);
    let r = z.isqrt();
    let rounded = if z - r * r > r { r + 1 } else { r };
    rounded.min(32767) as i16
}

/// |x| + |y|, at most 32767: the L1 norm (ACL `NEMagnitude`).
#[kernel(step(8, 1))]
pub fn magnitude_l1(x: i16, y: i16) -> i16 {
    (x.unsigned_abs() as u32 + y.unsigned_abs() as u32).min(32767) as i16
}

/// √(x² + y²) of 32 bits, to nearest even, at most 2³¹ − 1: squares, sum and root in floats.
#[kernel(step(8, 1))]
pub fn magnitude_i32(x: i32, y: i32) -> i32 {
    let (x, y) = (x as f32, y as f32);
    (x * x + y * y).sqrt().round_ties_even() as i32
}

/// |x| + |y| of 32 bits, at most 2³¹ − 1.
#[kernel(step(8, 1))]
pub fn magnitude_l1_i32(x: i32, y: i32) -> i32 {
    x.saturating_abs().saturating_add(y.saturating_abs())
}
