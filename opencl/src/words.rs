//! Closed enums as text, for flags, environment and logs.

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
