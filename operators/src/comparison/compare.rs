//! Comparisons of two images (ACL `ElementwiseComparison`; ONNX `Equal`, `Greater`, `GreaterOrEqual`, `Less`, `LessOrEqual`).
use windrow::prelude::*;

#[kernels]
pub mod relations {
    //! The comparisons, and the kernel that makes them.

    /// How two elements are compared. A float that is not a number is unequal to all, and neither less nor greater.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Comparison {
        /// a = b
        Equal,
        /// a ≠ b
        NotEqual,
        /// a > b
        Greater,
        /// a ≥ b
        GreaterEqual,
        /// a < b
        Less,
        /// a ≤ b
        LessEqual,
    }

    /// `truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.
    #[kernel(step(8, 1), types(T = u8, i16, i32, f32))]
    pub fn compare(a: T, b: T, #[variant] comparison: Comparison, #[uniform] truth: u8) -> u8 {
        let holds = match comparison {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
        };
        if holds { truth } else { 0 }
    }
}
