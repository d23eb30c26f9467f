//! From a tiling kernel and its images to a [`ConfiguredTiling`].

use super::{
    border::TileBorder,
    error::InvalidTiling,
    kernel::{TileImage, TilingKernel, TilingRequest},
    run::{self, BoundTiling},
};
use crate::{
    divide::{DividedWindow, Division, divide},
    error::{InvalidConfiguration, RunError},
    format::{ColourRange, ColourSpace},
    infer::check_type,
    info::{Shape, TensorInfo},
    job::check,
    region::{Rect, ValidRegion},
    view::{AnyView, AnyViewMut},
    window::Window,
};
use windrow_reference::limits::{MAX_ARGUMENTS, MAX_WORDS};

/// Elements that a tile has at most, unless its caller says otherwise: a few rows that stay in the cache.
const TILE_ELEMENTS: usize = 1 << 14;

/// Columns that a tile has at most.
const TILE_COLUMNS: usize = 1 << 10;

/// A tiling kernel whose arguments are checked and whose division is fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    pub kernel: &'static TilingKernel,
    pub shape: Shape,
    pub division: Division,
    pub parts: DividedWindow,
    /// The greatest tile, in blocks.
    pub tile: (u32, u32),
    pub words: [u32; MAX_WORDS],
    pub range: ColourRange,
    pub space: ColourSpace,
}

/// A tiling kernel whose arguments are checked and whose division is fixed, with the memory that it keeps.
#[derive(Debug)]
pub struct ConfiguredTiling<'m> {
    pub(super) tiling: Tiling,
    pub(super) kept: &'m mut [u8],
}

impl TilingKernel {
    /// Returns whether the kernel can be configured so: pure, and complete before anything is touched.
    pub fn validate(&'static self, request: &TilingRequest<'_>) -> Result<(), InvalidTiling> {
        self.bodies()?;
        let (block, around) = (self.block, self.neighbourhood);
        if !(1..=65_536).contains(&(u64::from(block.0) * u64::from(block.1))) {
            return Err(InvalidTiling::Block { kernel: self.name, block });
        }
        let far = |offset: i32| offset.unsigned_abs() > 65_536;
        let crossed = around.left > around.right || around.top > around.bottom;
        if crossed || [around.left, around.right, around.top, around.bottom].into_iter().any(far) {
            return Err(InvalidTiling::NeighbourhoodSpec { kernel: self.name, neighbourhood: around });
        }
        if let Some(found) = request.border.filter(|border| *border != self.border) {
            return Err(InvalidTiling::BorderFixed { kernel: self.name, found, expected: self.border });
        }
        let (found, expected) = (request.words.len(), self.words);
        if found != expected {
            return Err(InvalidConfiguration::Words { kernel: self.name, found, expected }.into());
        }
        if found > MAX_WORDS {
            return Err(InvalidConfiguration::TooManyWords { kernel: self.name, found, greatest: MAX_WORDS }.into());
        }
        self.check_images(request).map(drop)
    }

    /// All images must be of their types, of one plane, and of one shape, which this gives.
    fn check_images(&'static self, request: &TilingRequest<'_>) -> Result<Shape, InvalidTiling> {
        let kernel = self.name;
        for found in [self.inputs.len(), self.outputs.len()] {
            if found > MAX_ARGUMENTS {
                return Err(InvalidConfiguration::TooManyArguments { kernel, found }.into());
            }
        }
        let (found, expected) = (request.inputs.len(), self.inputs.len());
        if found != expected {
            return Err(InvalidConfiguration::InputCount { kernel, found, expected }.into());
        }
        let (found, expected) = (request.outputs.len(), self.outputs.len());
        if found != expected {
            return Err(InvalidConfiguration::OutputCount { kernel, found, expected }.into());
        }
        let mut shape = None;
        let images = self.inputs.iter().chain(self.outputs).zip(request.inputs.iter().chain(request.outputs));
        for (image, info) in images {
            check_type(image.name, info, image.element, image.channels)?;
            let found = info.shape();
            if found.planes() != 1 {
                return Err(InvalidTiling::Planes { argument: image.name, found });
            }
            let expected = *shape.get_or_insert(found);
            if !found.same_extents(&expected) {
                return Err(InvalidConfiguration::Shape { argument: image.name, found, expected }.into());
            }
        }
        shape.ok_or(InvalidConfiguration::NoOutput { kernel }.into())
    }

    /// Checks the request and fixes the division; `kept` holds what is kept between runs, at least
    /// [`TilingKernel::kept_memory_size`] bytes.
    pub fn configure<'m>(
        &'static self,
        request: &TilingRequest<'_>,
        kept: &'m mut [u8],
    ) -> Result<ConfiguredTiling<'m>, InvalidTiling> {
        let tiling = self.tiling(request)?;
        let (kernel, expected, found) = (self.name, self.kept_memory, kept.len());
        let kept = kept.get_mut(..expected).ok_or(InvalidTiling::KeptMemory { kernel, found, expected })?;
        if let Some(prepare) = self.prepare {
            prepare(kept, request.words);
        }
        Ok(ConfiguredTiling { tiling, kept })
    }

    /// Checks the request and fixes the division.
    pub(super) fn tiling(&'static self, request: &TilingRequest<'_>) -> Result<Tiling, InvalidTiling> {
        self.validate(request)?;
        let shape = self.check_images(request)?;
        let division = Division {
            width: shape.width(),
            height: shape.height(),
            block: self.block,
            neighbourhood: self.neighbourhood,
            self_bordered: self.border == TileBorder::SelfBordered,
            bodies: self.bodies()?,
        };
        let parts = divide(&division).map_err(|_| InvalidTiling::NoFlexible { kernel: self.name })?;
        let mut words = [0; MAX_WORDS];
        words.iter_mut().zip(request.words).for_each(|(word, given)| *word = *given);
        let (range, space) = (request.range, request.space);
        let tiling = Tiling { kernel: self, shape, division, parts, tile: (1, 1), words, range, space };
        tiling.with_tile(default_tile(self.block, shape))
    }
}

/// As many blocks along a row as fit [`TILE_COLUMNS`], and as many rows of them as fit [`TILE_ELEMENTS`]; at least one.
fn default_tile(block: (u32, u32), shape: Shape) -> (u32, u32) {
    let columns = shape.width().min(TILE_COLUMNS).div_ceil(block.0 as usize).max(1);
    let rows = TILE_ELEMENTS / (columns * block.0 as usize * block.1 as usize);
    (columns as u32, rows.clamp(1, 1 << 10) as u32)
}

impl Tiling {
    fn with_tile(self, blocks: (u32, u32)) -> Result<Tiling, InvalidTiling> {
        let blocks = (blocks.0.max(1), blocks.1.max(1));
        let count = (blocks.0 as usize).checked_mul(blocks.1 as usize);
        let bytes = count.and_then(|count| count.checked_mul(self.kernel.tile_memory));
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize / 2048) {
            return Err(InvalidTiling::TileMemory { kernel: self.kernel.name, blocks });
        }
        Ok(Tiling { tile: blocks, ..self })
    }

    /// Returns the number of bytes of memory for the greatest tile.
    pub fn greatest_tile_memory(&self) -> usize {
        self.kernel.tile_memory * self.tile.0 as usize * self.tile.1 as usize
    }

    /// Returns the part of every output that a run writes.
    pub fn valid_region(&self) -> ValidRegion {
        let rects = [self.parts.fast].into_iter().chain(self.parts.flexible).filter(|rect| !rect.is_empty());
        let all = |a: Rect, b: Rect| Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1));
        ValidRegion::new(rects.reduce(all).unwrap_or_default(), self.shape)
    }

    /// Returns the window of a whole run.
    pub fn window(&self) -> Window {
        Window::maximal(&ValidRegion::whole(self.shape), self.kernel.block)
    }

    /// Returns an image of a run is what the kernel declares, of the shape that was configured, with rows that tiles
    /// can lend as slices.
    pub fn check(&self, image: &TileImage, info: &TensorInfo) -> Result<(), RunError> {
        check(image.name, info, (image.element, image.channels), &self.shape)?;
        let (argument, found, expected) = (image.name, info.inner_stride(0), info.pixel_size());
        match info.layout().has_contiguous_rows() {
            true => Ok(()),
            false => Err(InvalidConfiguration::RowStride { argument, found, expected }.into()),
        }
    }
}

impl<'m> ConfiguredTiling<'m> {
    /// Returns `self` with tiles of at most this many blocks, (x, y).
    pub fn with_tile(self, blocks: (u32, u32)) -> Result<Self, InvalidTiling> {
        Ok(ConfiguredTiling { tiling: self.tiling.with_tile(blocks)?, ..self })
    }

    /// Returns the kernel.
    pub fn kernel(&self) -> &'static TilingKernel {
        self.tiling.kernel
    }

    /// Returns the shape of every image.
    pub fn shape(&self) -> Shape {
        self.tiling.shape
    }

    /// Returns the number of bytes of memory for the greatest tile.
    pub fn greatest_tile_memory(&self) -> usize {
        self.tiling.greatest_tile_memory()
    }

    /// Returns which function computes which part.
    pub fn parts(&self) -> DividedWindow {
        self.tiling.parts
    }

    /// Returns the part of every output that a run writes; the rest is left untouched.
    pub fn valid_region(&self) -> ValidRegion {
        self.tiling.valid_region()
    }

    /// Returns the window of a whole run: blocks from (0, 0), the last of which may reach behind the image.
    pub fn window(&self) -> Window {
        self.tiling.window()
    }

    /// Returns what is kept between runs.
    pub fn kept(&self) -> &[u8] {
        self.kept
    }

    /// Returns what is kept between runs, to change.
    pub fn kept_mut(&mut self) -> &mut [u8] {
        self.kept
    }

    /// Returns the kernel with its images, for a scheduler.
    pub fn bind<'a>(
        &'a mut self,
        inputs: &[AnyView<'a>],
        outputs: &'a mut [AnyViewMut<'_>],
    ) -> Result<BoundTiling<'a>, RunError> {
        run::bind(self, inputs, outputs)
    }

    /// Returns each tile of the division inside `region`, and whether the fast function computes it.
    pub fn tiles(&self, region: Rect) -> impl Iterator<Item = (Rect, bool)> + '_ {
        run::tiles(&self.tiling.division, self.tiling.tile, region)
    }
}
