//! What a caller chooses and asks of a device, as text.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use super::{FloatSupport, IntegerUnits, LocalSize};
use crate::text::{InvalidText, fields, named, parts};

/// `driver`, or `16×4`.
impl Display for LocalSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        match self {
            LocalSize::Driver => f.write_str("driver"),
            LocalSize::Fixed(x, y) => write!(f, "{x}×{y}"),
        }
    }
}

impl FromStr for LocalSize {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<LocalSize, InvalidText> {
        let read = || match text {
            "driver" => Some(LocalSize::Driver),
            size => {
                let [x, y] = parts(size, "×")?;
                Some(LocalSize::Fixed(x.parse().ok()?, y.parse().ok()?))
            }
        };
        read().ok_or(InvalidText::new("size of work-groups", "16×4"))
    }
}

impl IntegerUnits {
    /// Every kind.
    pub const ALL: [IntegerUnits; 3] = [IntegerUnits::Vectors, IntegerUnits::Scalars, IntegerUnits::ScalarsWithPairs];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            IntegerUnits::Vectors => "vectors",
            IntegerUnits::Scalars => "scalars",
            IntegerUnits::ScalarsWithPairs => "scalars with pairs",
        }
    }
}

named! { IntegerUnits, "kind of integer units", "vectors"; }
fields! {
    FloatSupport { denormals, infinities_and_nans, rounds_to_nearest, correctly_rounded_division },
    "support of floats",
    "denormals true, infinities_and_nans true, rounds_to_nearest true, correctly_rounded_division false";
}
