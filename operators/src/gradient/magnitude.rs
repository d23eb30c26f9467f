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
