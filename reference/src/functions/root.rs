//! The reciprocal of the square root.

#[cfg(not(feature = "std"))]
use super::Core;

/// 1 / √x.
pub fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}
