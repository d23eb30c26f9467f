//! The border of a tiling kernel.

use crate::text::named;

/// What becomes of elements whose neighbourhood leaves the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TileBorder {
    /// Nobody computes them.
    #[default]
    Undefined,
    /// The flexible function computes them, and finds itself what lies outside.
    SelfBordered,
}

impl TileBorder {
    /// Every border.
    pub const ALL: [TileBorder; 2] = [TileBorder::Undefined, TileBorder::SelfBordered];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            TileBorder::Undefined => "undefined",
            TileBorder::SelfBordered => "self",
        }
    }
}

named! { TileBorder, "border of a tiling kernel", "self"; }
