//! A tiling kernel as data: its images, blocks, memory and functions.

use super::{border::TileBorder, error::InvalidTiling, tile::Tile, tile_error::TileError};
use crate::{
    divide::Bodies,
    element::{ElementType, KernelElement},
    format::{ColourRange, ColourSpace},
    info::TensorInfo,
    spec::NeighbourhoodSpec,
};

/// A function that computes a tile.
pub type TileFunction = fn(&mut Tile<'_>) -> Result<(), TileError>;

/// A function that writes the memory that a configured kernel keeps, from the uniforms' words.
pub type KeptFunction = fn(&mut [u8], &[u32]);

/// An image that a tiling kernel reads or writes.
#[derive(Clone, Copy, Debug)]
pub struct TileImage {
    pub(super) name: &'static str,
    pub(super) element: ElementType,
    pub(super) channels: u32,
}

impl TileImage {
    /// Returns an image of elements `T`.
    pub const fn of<T: KernelElement>(name: &'static str) -> TileImage {
        TileImage { name, element: T::CHANNEL, channels: T::CHANNELS }
    }
}

/// A kernel of hand-written functions. It is data; [`TilingKernel::validate`] checks it with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct TilingKernel {
    pub(super) name: &'static str,
    pub(super) inputs: &'static [TileImage],
    pub(super) outputs: &'static [TileImage],
    pub(super) block: (u32, u32),
    pub(super) neighbourhood: NeighbourhoodSpec,
    pub(super) border: TileBorder,
    pub(super) tile_memory: usize,
    pub(super) kept_memory: usize,
    pub(super) words: usize,
    pub(super) prepare: Option<KeptFunction>,
    pub(super) before_run: Option<KeptFunction>,
    pub(super) fast: Option<TileFunction>,
    pub(super) flexible: Option<TileFunction>,
}

impl TilingKernel {
    /// Returns a kernel that reads and writes these images, with blocks of one element, no neighbourhood, and no
    /// function yet.
    pub const fn new(name: &'static str, inputs: &'static [TileImage], outputs: &'static [TileImage]) -> TilingKernel {
        TilingKernel {
            name,
            inputs,
            outputs,
            block: (1, 1),
            neighbourhood: NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 },
            border: TileBorder::Undefined,
            tile_memory: 0,
            kept_memory: 0,
            words: 0,
            prepare: None,
            before_run: None,
            fast: None,
            flexible: None,
        }
    }

    /// Returns `self` with blocks of `width` × `height` elements, counted from the output's (0, 0): the fast function
    /// gets whole ones.
    pub const fn block(self, width: u32, height: u32) -> TilingKernel {
        TilingKernel { block: (width, height), ..self }
    }

    /// Returns which reads these elements around each: offsets `left ..= right` and `top ..= bottom`, the same in every
    /// input.
    pub const fn neighbourhood(self, left: i32, right: i32, top: i32, bottom: i32) -> TilingKernel {
        TilingKernel { neighbourhood: NeighbourhoodSpec { left, right, top, bottom }, ..self }
    }

    /// Returns `self` with this border, which no request overrides.
    pub const fn border(self, border: TileBorder) -> TilingKernel {
        TilingKernel { border, ..self }
    }

    /// Returns `self` with `bytes` of memory for each block of a tile, while its function runs.
    pub const fn tile_memory(self, bytes: usize) -> TilingKernel {
        TilingKernel { tile_memory: bytes, ..self }
    }

    /// Returns `self` with `bytes` that a configured kernel keeps between runs: `prepare` fills them once, `before_run`
    /// may change them before each run; tiles read them.
    pub const fn kept_memory(
        self,
        bytes: usize,
        prepare: KeptFunction,
        before_run: Option<KeptFunction>,
    ) -> TilingKernel {
        TilingKernel { kept_memory: bytes, prepare: Some(prepare), before_run, ..self }
    }

    /// Returns `self` with uniforms of `words` words in all (see [`Uniform`](crate::Uniform)).
    pub const fn uniforms(self, words: usize) -> TilingKernel {
        TilingKernel { words, ..self }
    }

    /// Returns `self` with a function for tiles of whole blocks, whose neighbourhood lies in the image.
    pub const fn fast(self, function: TileFunction) -> TilingKernel {
        TilingKernel { fast: Some(function), ..self }
    }

    /// Returns `self` with a function for tiles of any size at any place.
    pub const fn flexible(self, function: TileFunction) -> TilingKernel {
        TilingKernel { flexible: Some(function), ..self }
    }

    /// Returns the name of the kernel.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns what is read around an element, in every input.
    pub const fn input_neighbourhood(&self) -> NeighbourhoodSpec {
        self.neighbourhood
    }

    /// Returns what is written around an element: nothing.
    pub const fn output_neighbourhood(&self) -> NeighbourhoodSpec {
        NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 }
    }

    /// Returns the block of every input, which is that of the outputs.
    pub const fn input_tile_block(&self) -> (u32, u32) {
        self.block
    }

    /// Returns the block of every output.
    pub const fn output_tile_block(&self) -> (u32, u32) {
        self.block
    }

    /// Returns the border of the kernel.
    pub const fn border_mode(&self) -> TileBorder {
        self.border
    }

    /// Returns the number of bytes of memory for each block of a tile.
    pub const fn tile_memory_size(&self) -> usize {
        self.tile_memory
    }

    /// Returns the number of bytes that a configured kernel keeps between runs.
    pub const fn kept_memory_size(&self) -> usize {
        self.kept_memory
    }

    /// Returns which functions the kernel has.
    pub fn bodies(&self) -> Result<Bodies, InvalidTiling> {
        match (self.fast, self.flexible, self.border) {
            (None, None, _) => Err(InvalidTiling::NoFunction { kernel: self.name }),
            (Some(_), None, TileBorder::SelfBordered) => Err(InvalidTiling::NoFlexible { kernel: self.name }),
            (Some(_), None, TileBorder::Undefined) => Ok(Bodies::Fast),
            (None, Some(_), _) => Ok(Bodies::Flexible),
            (Some(_), Some(_), _) => Ok(Bodies::Both),
        }
    }
}

/// What a tiling kernel is configured with.
#[derive(Clone, Copy, Debug)]
pub struct TilingRequest<'a> {
    /// The images read, in order.
    pub inputs: &'a [&'a TensorInfo],
    /// The images written, in order.
    pub outputs: &'a [&'a TensorInfo],
    /// The words of the uniforms.
    pub words: &'a [u32],
    /// The border that the caller believes the kernel to have; no other than the kernel's own is accepted.
    pub border: Option<TileBorder>,
    /// The range of the images' values, which tiles can ask for.
    pub range: ColourRange,
    /// The colour space of the images, likewise.
    pub space: ColourSpace,
}

impl<'a> TilingRequest<'a> {
    /// Returns these images, and nothing else.
    pub const fn new(inputs: &'a [&'a TensorInfo], outputs: &'a [&'a TensorInfo]) -> TilingRequest<'a> {
        let (range, space) = (ColourRange::Full, ColourSpace::None);
        TilingRequest { inputs, outputs, words: &[], border: None, range, space }
    }
}
