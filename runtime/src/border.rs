//! Borders, as a caller chooses them for a run: one for all images, or one for each.

pub use windrow_reference::border::BorderMode;

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use crate::{element::Scalar, limits::MAX_ARGUMENTS, text::InvalidText};

/// What a kernel reads outside an image.
///
/// Of a row of four elements `a b c d`, two before the first and two behind the last:
///
/// ```text
/// Constant(x)  x x | a b c d | x x        Reflect101  c b | a b c d | c b
/// Replicate    a a | a b c d | d d        Wrap        c d | a b c d | a b
/// Reflect      b a | a b c d | d c        Undefined   elements that would read there are not computed
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// Nothing: elements that need them are not computed.
    Undefined,
    /// This value, in every channel; [`Border::constant`] makes it of a number: `Border::constant(0u8)`.
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
    /// Returns the border of this value.
    ///
    /// ```
    /// use windrow::{Border, Scalar};
    ///
    /// assert_eq!(Border::constant(7u8), Border::Constant(Scalar::U8(7)));
    /// ```
    pub fn constant(value: impl Into<Scalar>) -> Border {
        Border::Constant(value.into())
    }

    /// Returns the mode of the border.
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

/// The border of each image that a kernel reads. A [`Border`] alone is that of every image.
///
/// ```
/// use windrow::{Border, Borders};
///
/// let same = Borders::from(Border::Replicate);
/// assert_eq!((same.of(0), same.of(5)), (Border::Replicate, Border::Replicate));
/// let each = Borders::each(&[Border::Wrap, Border::constant(7u8)]);
/// assert_eq!((each.of(1), each.count()), (Border::constant(7u8), Some(2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Borders(PerImage<Border>);

impl Borders {
    /// Returns a border for each image that is read, `#[inout]` ones included, in the author's order.
    ///
    /// That of an image without neighbourhood is without meaning.
    pub fn each(borders: &[Border]) -> Borders {
        let mut all = [Border::Undefined; MAX_ARGUMENTS];
        all.iter_mut().zip(borders).for_each(|(place, border)| *place = *border);
        Borders(PerImage { all, given: Some(borders.len()) })
    }

    /// Returns the one of image `image`.
    pub fn of(&self, image: usize) -> Border {
        self.0.all.get(image).copied().unwrap_or(Border::Undefined)
    }

    /// Returns how many were given; `None` where one is that of every image.
    pub fn count(&self) -> Option<usize> {
        self.0.given
    }

    /// Returns the modes of all images' borders.
    pub fn modes(&self) -> BorderModes {
        BorderModes(PerImage { all: self.0.all.map(|border| border.mode()), given: self.0.given })
    }
}

impl From<Border> for Borders {
    fn from(border: Border) -> Borders {
        Borders(PerImage { all: [border; MAX_ARGUMENTS], given: None })
    }
}

/// The modes of the borders of each image, which is all that shapes and valid regions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderModes(PerImage<BorderMode>);

impl BorderModes {
    /// Returns the one of image `image`.
    pub fn of(&self, image: usize) -> BorderMode {
        self.0.all.get(image).copied().unwrap_or(BorderMode::Undefined)
    }

    /// Returns how many were given; `None` where one is that of every image.
    pub fn count(&self) -> Option<usize> {
        self.0.given
    }
}

impl From<BorderMode> for BorderModes {
    fn from(mode: BorderMode) -> BorderModes {
        BorderModes(PerImage { all: [mode; MAX_ARGUMENTS], given: None })
    }
}

/// One value for all images, or one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PerImage<T> {
    all: [T; MAX_ARGUMENTS],
    /// How many were given one by one.
    given: Option<usize>,
}

impl<T: Display> Display for PerImage<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let Some(given) = self.given else { return write!(f, "{}", self.all[0]) };
        f.write_str("[")?;
        self.all.iter().take(given).enumerate().try_for_each(|(index, value)| {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{value}")
        })?;
        f.write_str("]")
    }
}

/// One border, or one for each image in brackets: `[replicate, constant(7u8)]`.
impl Display for Borders {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        self.0.fmt(f)
    }
}

/// One mode, or one for each image in brackets: `[replicate, constant]`.
impl Display for BorderModes {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        self.0.fmt(f)
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
