//! What a function is called with: one tile.

use core::{marker::PhantomData, ptr::NonNull};

use super::{
    access::{ImageAttributes, TileInput, TileOutput},
    kernel::{TileImage, TilingKernel},
    tile_error::TileError,
};
use crate::{
    element::KernelElement,
    format::{ColourRange, ColourSpace, Format},
    info::{Shape, TensorInfo},
    region::Rect,
    spec::NeighbourhoodSpec,
    uniform::Uniform,
    view::AnyView,
};
use windrow_reference::limits::MAX_ARGUMENTS;

/// The images of a run.
#[derive(Debug)]
pub(super) struct Images<'a> {
    pub inputs: [Option<AnyView<'a>>; MAX_ARGUMENTS],
    pub outputs: [Option<(NonNull<u8>, TensorInfo)>; MAX_ARGUMENTS],
    pub range: ColourRange,
    pub space: ColourSpace,
}

// SAFETY: the run holds its outputs exclusively, and tiles that run at once touch disjoint elements of them.
unsafe impl Sync for Images<'_> {}

/// A rectangle of the images that one call of a function computes.
#[derive(Debug)]
pub struct Tile<'a> {
    pub(super) kernel: &'static TilingKernel,
    pub(super) images: &'a Images<'a>,
    pub(super) rect: Rect,
    pub(super) shape: Shape,
    pub(super) memory: &'a mut [u8],
    pub(super) kept: &'a [u8],
    pub(super) words: &'a [u32],
    pub(super) taken: [bool; MAX_ARGUMENTS],
}

impl<'a> Tile<'a> {
    /// Returns the first column in the images.
    pub fn x(&self) -> usize {
        self.rect.x0
    }

    /// Returns the first row in the images.
    pub fn y(&self) -> usize {
        self.rect.y0
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.rect.width()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.rect.height()
    }

    /// Returns the number of columns of the images.
    pub fn image_width(&self) -> usize {
        self.shape.width()
    }

    /// Returns the number of rows of the images.
    pub fn image_height(&self) -> usize {
        self.shape.height()
    }

    /// Returns the kernel's block.
    pub fn block(&self) -> (u32, u32) {
        self.kernel.block
    }

    /// Returns what is read around an element.
    pub fn neighbourhood(&self) -> NeighbourhoodSpec {
        self.kernel.neighbourhood
    }

    /// Blocks along and across, those that it has a part of included.
    pub fn blocks(&self) -> (usize, usize) {
        blocks(self.rect, self.kernel.block)
    }

    /// Returns whether the tile is whole blocks of the images' grid.
    pub fn is_aligned(&self) -> bool {
        is_aligned(self.rect, self.kernel.block)
    }

    /// Returns an input.
    pub fn input<T: KernelElement>(&self, index: usize) -> Result<TileInput<'a, T>, TileError> {
        let declared = declared::<T>(self.kernel.inputs, index)?;
        let view = self.images.inputs.get(index).copied().flatten();
        let view = view.and_then(|view| view.typed::<T>().ok()).ok_or_else(|| mismatch::<T>(declared))?;
        let (rect, around, attributes) = (self.rect, self.kernel.neighbourhood, self.attributes(view.info()));
        Ok(TileInput { image: view, rect, around, attributes })
    }

    /// Returns an output, to which nothing else has access: it can be asked for once.
    pub fn output<T: KernelElement>(&mut self, index: usize) -> Result<TileOutput<'a, T>, TileError> {
        let declared = declared::<T>(self.kernel.outputs, index)?;
        let image = self.images.outputs.get(index).copied().flatten();
        let (base, info) = image.ok_or_else(|| mismatch::<T>(declared))?;
        if core::mem::replace(&mut self.taken[index], true) {
            return Err(TileError::Taken { name: declared.name });
        }
        let (rect, attributes) = (self.rect, self.attributes(&info));
        Ok(TileOutput { base: base.as_ptr(), info, rect, attributes, elements: PhantomData })
    }

    /// Returns memory of this call's own: the kernel's bytes for each block; nothing when it is asked for again.
    ///
    /// Its first content is unspecified.
    pub fn memory(&mut self) -> &'a mut [u8] {
        core::mem::take(&mut self.memory)
    }

    /// Returns what the configured kernel keeps between runs.
    pub fn kept(&self) -> &'a [u8] {
        self.kept
    }

    /// Returns the uniform whose first word is `word`.
    pub fn uniform<T: Uniform>(&self, word: usize) -> T {
        T::from_words(self.words.get(word..).unwrap_or(&[]))
    }

    fn attributes(&self, info: &TensorInfo) -> ImageAttributes {
        ImageAttributes {
            width: info.width(),
            height: info.height(),
            format: info.dtype().element().and_then(|element| Format::of(element, info.channels())),
            planes: 1,
            range: self.images.range,
            space: self.images.space,
        }
    }
}

/// Image `index`, where it is declared with elements `T`.
fn declared<T: KernelElement>(images: &'static [TileImage], index: usize) -> Result<&'static TileImage, TileError> {
    let image = images.get(index).ok_or(TileError::NoImage { index, declared: images.len() })?;
    if (image.element, image.channels) == (T::CHANNEL, T::CHANNELS) { Ok(image) } else { Err(mismatch::<T>(image)) }
}

fn mismatch<T: KernelElement>(image: &TileImage) -> TileError {
    TileError::Element {
        name: image.name,
        found: image.element,
        found_channels: image.channels,
        asked: T::CHANNEL,
        asked_channels: T::CHANNELS,
    }
}

/// Blocks along and across that `rect` has a part of, where it starts on the grid, or would.
pub(super) fn blocks(rect: Rect, block: (u32, u32)) -> (usize, usize) {
    (rect.width().div_ceil(block.0.max(1) as usize), rect.height().div_ceil(block.1.max(1) as usize))
}

/// Whether `rect` is whole blocks of the grid.
pub(super) fn is_aligned(rect: Rect, block: (u32, u32)) -> bool {
    let (w, h) = (block.0.max(1) as usize, block.1.max(1) as usize);
    [rect.x0, rect.x1].iter().all(|x| x.is_multiple_of(w)) && [rect.y0, rect.y1].iter().all(|y| y.is_multiple_of(h))
}
