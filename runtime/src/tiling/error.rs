//! What can be wrong with a tiling kernel, its configuration, or one of its tiles.

use super::TileBorder;
use crate::{element::ElementType, error::InvalidConfiguration, info::Shape, spec::Neighbourhood};

/// Why a tiling kernel can't be configured.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTiling {
    /// Neither a fast nor a flexible function.
    #[error("`{kernel}` has neither a fast nor a flexible function")]
    NoFunction {
        /// The kernel.
        kernel: &'static str,
    },
    /// A kernel that finds its own border without a function for it.
    #[error("`{kernel}` finds its own border, which needs a flexible function")]
    NoFlexible {
        /// The kernel.
        kernel: &'static str,
    },
    /// Another border than the kernel's own.
    #[error("the border of `{kernel}` is {expected} and can't be overridden by {found}")]
    BorderFixed {
        /// The kernel.
        kernel: &'static str,
        /// The border asked for.
        found: TileBorder,
        /// The kernel's.
        expected: TileBorder,
    },
    /// A block without elements, or a larger one than an image.
    #[error("the block of `{kernel}` is {}×{} elements, expected 1 to 65536 in all", block.0, block.1)]
    Block {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: (u32, u32),
    },
    /// A neighbourhood whose ends are crossed, or out of any image.
    #[error("the neighbourhood of `{kernel}` is {neighbourhood}, expected ranges within -65536..=65536")]
    Neighbourhood {
        /// The kernel.
        kernel: &'static str,
        /// Its neighbourhood.
        neighbourhood: Neighbourhood,
    },
    /// An image of several planes.
    #[error("`{argument}` has the shape {found}, tiles lie in images of one plane")]
    Planes {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
    },
    /// Too little memory to keep between runs.
    #[error("`{kernel}` keeps {expected} bytes between runs, found {found}")]
    KeptMemory {
        /// The kernel.
        kernel: &'static str,
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// More memory for a tile than can be counted.
    #[error("a tile of `{kernel}` of {}×{} blocks takes more memory than there is", blocks.0, blocks.1)]
    TileMemory {
        /// The kernel.
        kernel: &'static str,
        /// The tile's blocks, (x, y).
        blocks: (u32, u32),
    },
    /// Images or uniforms that don't fit the kernel.
    #[error(transparent)]
    Arguments(#[from] InvalidConfiguration),
}

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
