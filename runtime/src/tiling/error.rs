//! What can be wrong with a tiling kernel or its configuration.

use super::border::TileBorder;
use crate::{error::InvalidConfiguration, info::Shape, spec::NeighbourhoodSpec};

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
    NeighbourhoodSpec {
        /// The kernel.
        kernel: &'static str,
        /// Its neighbourhood.
        neighbourhood: NeighbourhoodSpec,
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
