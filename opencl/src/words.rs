//! Closed enums and small structs as text, for flags, environment and logs.

/// `Display` and `FromStr` of a closed enum by its `name()` and its `ALL`.
macro_rules! named {
    ($($ty:ty, $what:literal, $example:literal;)*) => {$(
        impl core::fmt::Display for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl core::str::FromStr for $ty {
            type Err = windrow_runtime::InvalidText;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let unknown = windrow_runtime::InvalidText::new($what, $example);
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
            type Err = windrow_runtime::InvalidText;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let mut fields = text.split(',');
                let mut read = || {
                    Some($ty { $($field: $crate::words::keyed(fields.next()?, stringify!($field))?.parse().ok()?),+ })
                };
                let value = read().filter(|_| fields.next().is_none());
                value.ok_or(windrow_runtime::InvalidText::new($what, $example))
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

/// The text behind `key` and a space.
pub(crate) fn keyed<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.trim().strip_prefix(key)?.strip_prefix(' ').map(str::trim)
}
