//! The border of a tiling kernel.

/// What becomes of elements whose neighbourhood leaves the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TileBorder {
    /// Nobody computes them.
    #[default]
    Undefined,
    /// The flexible function computes them, and finds itself what lies outside.
    SelfBordered,
}

impl core::fmt::Display for TileBorder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            TileBorder::Undefined => "undefined",
            TileBorder::SelfBordered => "self",
        })
    }
}
