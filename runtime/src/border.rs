//! A border, as a caller chooses it for a run.

pub use windrow_reference::border::BorderMode;

use crate::element::Scalar;

/// What reads outside the image find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// Nothing: elements that need them are not computed.
    Undefined,
    /// This value, in every channel.
    Constant(Scalar),
    /// The nearest edge element.
    Replicate,
    /// The mirrored image, its edge repeated.
    Reflect,
    /// The mirrored image, its edge once.
    Reflect101,
    /// The image's opposite side.
    Wrap,
}

impl Border {
    /// The border of this value.
    ///
    /// ```
    /// use windrow_runtime::{Border, Scalar};
    ///
    /// assert_eq!(Border::constant(7u8), Border::Constant(Scalar::U8(7)));
    /// ```
    pub fn constant(value: impl Into<Scalar>) -> Border {
        Border::Constant(value.into())
    }

    /// Its mode.
    pub const fn mode(&self) -> BorderMode {
        match self {
            Border::Undefined => BorderMode::Undefined,
            Border::Constant(_) => BorderMode::Constant,
            Border::Replicate => BorderMode::Replicate,
            Border::Reflect => BorderMode::Reflect,
            Border::Reflect101 => BorderMode::Reflect101,
            Border::Wrap => BorderMode::Wrap,
        }
    }
}
