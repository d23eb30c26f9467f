//! Integers from floats (ONNX `QuantizeLinear`, TFLite `Quantize`).
use windrow::prelude::*;

#[kernels]
pub mod quantizers {
    //! The two roundings, and the kernels.
    use windrow::prelude::*;

    /// Where a quotient goes that lies in the middle of two whole numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Ties {
        /// To the even one, as in ONNX.
        Even,
        /// Away from zero, as in TFLite.
        Away,
    }

    fn rounded(x: f32, ties: Ties) -> f32 {
        let whole = x.trunc();
        let rest = x - whole;
        match ties {
            Ties::Even => x.round_ties_even(),
            Ties::Away => {
                whole
                    + if rest >= 0.5 {
                        1.0
                    } else if rest <= -0.5 {
                        -1.0
                    } else {
                        0.0
                    }
            }
        }
    }

    /// x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.
    #[kernel(step(8, 1), types(T = u8, i8, u16, i16))]
    pub fn quantize(x: f32, #[uniform] scale: f32, #[uniform] zero: i32, #[variant] ties: Ties) -> T {
        (rounded(x / scale, ties) as i32).saturating_add(zero).saturating_cast()
    }

    /// As `quantize`, with a scale and a zero for each channel.
    #[kernel(step(8, 1), types(T = u8, i8))]
    pub fn quantize_channels(x: f32, scale: f32, zero: i32, #[variant] ties: Ties) -> T {
        (rounded(x / scale, ties) as i32).saturating_add(zero).saturating_cast()
    }
}
