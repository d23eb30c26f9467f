//! Complex numbers scaled, or scaled and conjugated (ACL `FFTScale`).
use windrow::prelude::*;

/// The real part times `factors[0]`, the imaginary part times `factors[1]`, which is −`factors[0]` for the conjugate.
#[kernel(step(8, 1))]
pub fn scale_complex([re, im]: [f32; 2], #[uniform] factors: [f32; 2]) -> [f32; 2] {
    [re * factors[0], im * factors[1]]
}
