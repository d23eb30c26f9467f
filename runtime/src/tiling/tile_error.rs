//! Why a tile was not computed.

use crate::element::ElementType;

/// Why a tile was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// An image that the kernel did not declare.
    #[error("there is no image {index}, the kernel declares {declared}")]
    NoImage {
        /// Which was asked for.
        index: usize,
        /// How many there are.
        declared: usize,
    },
    /// An image of another type.
    #[error(
        "`{name}` holds {found} with {found_channels} channels, the function asks for {asked} with {asked_channels}"
    )]
    Element {
        /// The image.
        name: &'static str,
        /// The type declared.
        found: ElementType,
        /// Its channels.
        found_channels: u32,
        /// The type asked for.
        asked: ElementType,
        /// Its channels.
        asked_channels: u32,
    },
    /// An output that the function has already taken.
    #[error("`{name}` has already been taken")]
    Taken {
        /// The output.
        name: &'static str,
    },
    /// A row outside the tile, or one whose neighbourhood leaves the image.
    #[error("row {y} with offset {offset} does not lie in the tile's neighbourhood, or leaves the image")]
    Row {
        /// The row of the tile.
        y: usize,
        /// The offset asked for.
        offset: i32,
    },
    /// The function says so.
    #[error("{reason}")]
    Refused {
        /// Why.
        reason: &'static str,
    },
}
