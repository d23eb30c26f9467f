//! Values as text: what `Display` writes, `FromStr` reads back to the same value.
//!
//! For configuration files, logs and tests. Nothing here allocates; errors name the type and show an example.

/// Why a text is no value of a type.
///
/// ```
/// use windrow::Shape;
///
/// assert_eq!("640×480".parse::<Shape>().map(|shape| shape.width()), Ok(640));
/// let error = "640 by 480".parse::<Shape>().map_err(|error| error.to_string());
/// assert_eq!(error, Err("this is no shape, which is written as `640×480`".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no {what}, which is written as `{example}`")]
pub struct InvalidText {
    what: &'static str,
    example: &'static str,
}

impl InvalidText {
    /// A text that is no `what`, with an example of one.
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

/// `Display` and `FromStr` of a struct by its fields, each behind its key: `left 4, right 36`.
macro_rules! fields {
    ($($ty:ident { $($field:ident),+ }, $what:literal, $example:literal;)*) => {$(
        impl core::fmt::Display for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let fields = [$((stringify!($field), &self.$field as &dyn core::fmt::Display)),+];
                fields.iter().enumerate().try_for_each(|(index, (key, value))| {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{key} {value}")
                })
            }
        }

        impl core::str::FromStr for $ty {
            type Err = $crate::text::InvalidText;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let mut fields = text.split(',');
                let mut read = || {
                    Some($ty { $($field: $crate::text::keyed(fields.next()?, stringify!($field))?.parse().ok()?),+ })
                };
                let value = read().filter(|_| fields.next().is_none());
                value.ok_or($crate::text::InvalidText::new($what, $example))
            }
        }
    )*};
}
pub(crate) use fields;

/// The values of exactly `N` parts of `text` between `separator`s.
pub(crate) fn parts<'a, const N: usize>(text: &'a str, separator: &str) -> Option<[&'a str; N]> {
    let mut parts = text.split(separator);
    let mut found = [""; N];
    for place in &mut found {
        *place = parts.next()?.trim();
    }
    parts.next().is_none().then_some(found)
}

/// A half-open range as `2..5`.
pub(crate) fn range(text: &str) -> Option<(usize, usize)> {
    let [start, end] = parts(text, "..")?;
    Some((start.parse().ok()?, end.parse().ok()?))
}

/// The text behind `key` and a space.
pub(crate) fn keyed<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.trim().strip_prefix(key)?.strip_prefix(' ').map(str::trim)
}
