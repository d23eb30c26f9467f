//! Choices as text: what `Display` writes, `FromStr` reads back to the same value.
//!
//! For flags, environment variables and configuration files. Nothing here allocates; errors name the type and show an example.

/// Why a text is not a value of a type.
///
/// ```
/// use windrow::ElementType;
///
/// assert_eq!("u8".parse(), Ok(ElementType::U8));
/// let error = "byte".parse::<ElementType>().map_err(|error| error.to_string());
/// assert_eq!(error, Err("this is no element type, which is written as `u8`".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no {what}, which is written as `{example}`")]
pub struct InvalidText {
    what: &'static str,
    example: &'static str,
}

impl InvalidText {
    /// Returns a text that is no `what`, with an example of one.
    pub const fn new(what: &'static str, example: &'static str) -> InvalidText {
        InvalidText { what, example }
    }
}

/// `Display` and `FromStr` of a closed enum by its `name()` and its `ALL`.
macro_rules! named {
    ($($ty:ty, $what:literal, $example:literal;)*) => {$(
        impl core::fmt::Display for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl core::str::FromStr for $ty {
            type Err = $crate::text::InvalidText;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let unknown = $crate::text::InvalidText::new($what, $example);
                <$ty>::ALL.into_iter().find(|value| value.name() == name).ok_or(unknown)
            }
        }
    )*};
}
pub(crate) use named;
