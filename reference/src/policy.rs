//! The closed choices that many operators share: what a `#[variant]` parameter may be without an enum of the author's.

/// What becomes of a result that the output type lacks (OpenVX's convert policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Its low bits.
    Wrap,
    /// The nearest value.
    Saturate,
}

/// What becomes of a fraction (OpenVX's round policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// It is dropped.
    TowardZero,
    /// To the nearest integer, halves to the even one.
    NearestEven,
}

/// Which of a set of elements in order is taken (OpenVX's non-linear filter function).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rank {
    /// The least.
    Min,
    /// The median.
    Median,
    /// The greatest.
    Max,
}

/// No value of a closed choice has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
}

impl UnknownName {
    /// The name of no `what`.
    pub(crate) const fn new(what: &'static str) -> UnknownName {
        UnknownName { what }
    }
}

impl core::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "this is the name of no {}", self.what)
    }
}

impl core::error::Error for UnknownName {}

/// `ALL`, `Display` and `FromStr` of a choice: each value by its name.
macro_rules! names {
    ($($ty:ident, $what:literal: $($value:ident $name:literal)*;)*) => {$(
        impl $ty {
            /// Every value.
            pub const ALL: &'static [$ty] = &[$($ty::$value),*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($ty::$value => $name,)*
                }
            }
        }

        impl core::fmt::Display for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl core::str::FromStr for $ty {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$ty, UnknownName> {
                $ty::ALL.iter().copied().find(|value| value.name() == name).ok_or(UnknownName::new($what))
            }
        }
    )*};
}

names! {
    Overflow, "overflow policy": Wrap "wrap" Saturate "saturate";
    Rounding, "rounding policy": TowardZero "toward zero" NearestEven "nearest even";
    Rank, "rank": Min "min" Median "median" Max "max";
}
