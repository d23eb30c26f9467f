//! A border, as a caller chooses it for a run.

pub use windrow_reference::border::BorderMode;

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use crate::{element::Scalar, text::InvalidText};

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

/// The mode's name, with its value: `constant(7u8)`.
impl Display for Border {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            Border::Constant(value) => write!(f, "{}({value})", self.mode()),
            Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => {
                write!(f, "{}", self.mode())
            }
        }
    }
}

impl FromStr for Border {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Border, InvalidText> {
        let read = || match text.strip_prefix("constant(") {
            Some(value) => Some(Border::Constant(value.strip_suffix(')')?.parse().ok()?)),
            None => match BorderMode::ALL.into_iter().find(|mode| mode.name() == text)? {
                BorderMode::Undefined => Some(Border::Undefined),
                BorderMode::Constant => None,
                BorderMode::Replicate => Some(Border::Replicate),
                BorderMode::Reflect => Some(Border::Reflect),
                BorderMode::Reflect101 => Some(Border::Reflect101),
                BorderMode::Wrap => Some(Border::Wrap),
            },
        };
        read().ok_or(InvalidText::new("border", "constant(7u8)"))
    }
}
