//! Hyperbolic functions of floats (ONNX `Sinh`, `Cosh`, `Tanh`; ACL `ActivationLayer` TANH; MNN `UnaryOp`).
use windrow::prelude::*;

#[kernels]
pub mod functions {
    //! The three, and what they share.
    use windrow::prelude::*;

    /// e^|x| / 2, by an exponent that is less by 2, so that no power overflows sooner than the result.
    fn half_power(x: f32) -> f32 {
        (x.abs() - 2.0).exp() * 3.694_528
    }

    /// The hyperbolic sine, within 3.8 units of the last place.
    #[kernel(step(8, 1))]
    pub fn sinh(x: f32) -> f32 {
        let (half, power) = ((x * 0.5).tanh(), half_power(x));
        let near = (half + half) / (1.0 - half * half);
        let far = power - 0.25 / power;
        let signed = if x < 0.0 { -far } else { far };
        if x.abs() < 1.0 { near } else { signed }
    }

    /// The hyperbolic cosine, within 2.4 units of the last place.
    #[kernel(step(8, 1))]
    pub fn cosh(x: f32) -> f32 {
        let power = half_power(x);
        power + 0.25 / power
    }

    /// The hyperbolic tangent, within 2.6 units of the last place.
    #[kernel(step(8, 1))]
    pub fn tanh(x: f32) -> f32 {
        x.tanh()
    }
}
