//! Inverses of the hyperbolic functions (ONNX `Asinh`, `Acosh`, `Atanh`; MNN `UnaryOp`).
use windrow::prelude::*;

#[kernels]
pub mod functions {
    //! The three, and what they share.
    use windrow::prelude::*;

    /// The logarithm of 1 + y; of 2·large, where that is so large that 1 + y is no nearer.
    fn area(y: f32, large: f32) -> f32 {
        let sum = 1.0 + y;
        let is_large = large > 1e9;
        // What the sum has lost of y changes its logarithm by that part of it.
        let rest = if is_large { core::f32::consts::LN_2 } else { (y - (sum - 1.0)) / sum };
        (if is_large { large } else { sum }).ln() + rest
    }

    /// The number of which x is the hyperbolic sine, within 2.3 units of the last place.
    #[kernel(step(8, 1))]
    pub fn asinh(x: f32) -> f32 {
        let (a, square) = (x.abs(), x * x);
        let found = area(a + square / (1.0 + (square + 1.0).sqrt()), a);
        f32::from_bits(found.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    /// The number of which x is the hyperbolic cosine, not negative, within 3.1 units of the last place; NaN below 1.
    #[kernel(step(8, 1))]
    pub fn acosh(x: f32) -> f32 {
        let above = x - 1.0;
        let found = area(above + (above * (x + 1.0)).sqrt(), x);
        if x >= 1.0 { found } else { f32::NAN }
    }

    /// The number of which x is the hyperbolic tangent, within 2.8 units of the last place; of ±1 it is ±∞, and NaN beyond.
    #[kernel(step(8, 1))]
    pub fn atanh(x: f32) -> f32 {
        let a = x.abs();
        let y = (a + a) / (1.0 - a);
        f32::from_bits((0.5 * area(y, y)).to_bits() | (x.to_bits() & 0x8000_0000))
    }
}
