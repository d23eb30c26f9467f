//! Linear units that bend where x is negative (ACL `ActivationLayer` ELU; ONNX `Elu`, `Selu`, `Celu`).
use windrow::prelude::*;

#[kernels]
pub mod units {
    //! The units, and what they share.
    use windrow::prelude::*;

    /// e^x − 1 of what is not positive, within 4.2 units of the last place: of h = tanh(x / 2) it is 2h / (1 − h), where
    /// nothing cancels.
    fn below(x: f32) -> f32 {
        let half = (x * 0.5).tanh();
        (half + half) / (1.0 - half)
    }

    /// x where it is not negative, alpha · (e^x − 1) elsewhere: of an alpha of 1 within 4.2 units of the last place.
    #[kernel(step(8, 1))]
    pub fn elu(x: f32, #[uniform] alpha: f32) -> f32 {
        if x < 0.0 { alpha * below(x) } else { x }
    }

    /// gamma · x where x is not negative, gamma · alpha · (e^x − 1) elsewhere: of ONNX' own two within 5.2 units of the last place.
    #[kernel(step(8, 1))]
    pub fn selu(x: f32, #[uniform] alpha: f32, #[uniform] gamma: f32) -> f32 {
        gamma * (if x < 0.0 { alpha * below(x) } else { x })
    }

    /// x where it is not negative, alpha · (e^(x / alpha) − 1) elsewhere, alpha being above 0: of 1 within 4.2 units of the last place.
    #[kernel(step(8, 1))]
    pub fn celu(x: f32, #[uniform] alpha: f32) -> f32 {
        if x < 0.0 { alpha * below(x / alpha) } else { x }
    }
}
