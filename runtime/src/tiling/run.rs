//! Runs a configured tiling kernel: cuts a window's part into tiles, and calls the function of each.
//!
//! Tiles are cut along the grid of the greatest tile, from (0, 0), so that as many as can be are whole blocks. A kernel with
//! a flexible function alone gets the part that would be fast in aligned tiles too.

use core::{marker::PhantomData, ptr::NonNull};

use super::{
    configure::{ConfiguredTiling, Tiling},
    kernel::TileFunction,
    tile::{Images, Tile, blocks},
};
use crate::{
    divide::{Bodies, DividedWindow, Division, divide},
    error::{InvalidConfiguration, RunError},
    infer::check_disjoint,
    info::TensorInfo,
    kernel::{DynKernel, Splits, ThreadInfo},
    overlap::{self, Overlap},
    region::{Rect, ValidRegion},
    view::{AnyView, AnyViewMut},
    window::Window,
};
use windrow_reference::limits::MAX_ARGUMENTS;

/// A configured tiling kernel with its images.
#[derive(Debug)]
pub struct BoundTiling<'a> {
    tiling: Tiling,
    kept: &'a [u8],
    images: Images<'a>,
    /// The elements that are computed.
    valid: Rect,
    /// The outputs, whose pointers lead into the images.
    outputs: PhantomData<&'a mut [u8]>,
}

/// Checks the images against the configuration; what is kept is made ready for this run.
pub(super) fn bind<'a>(
    configured: &'a mut ConfiguredTiling<'_>,
    inputs: &[AnyView<'a>],
    outputs: &'a mut [AnyViewMut<'_>],
) -> Result<BoundTiling<'a>, RunError> {
    let tiling = configured.tiling;
    let places = outputs.iter().map(|view| (view.base(), *view.info()));
    let bound = BoundTiling::new(&tiling, ValidRegion::whole(tiling.shape), configured.kept, inputs, places)?;
    check_overlaps(&tiling, &bound.images)?;
    Ok(bound)
}

impl<'a> BoundTiling<'a> {
    /// With the images of a run, of which the elements of `valid` are computed, and what is kept. The caller holds the exclusive
    /// borrow of the outputs, and knows that they have memory of their own, or that [`check_overlaps`] finds it out.
    pub(super) fn new(
        tiling: &Tiling,
        valid: ValidRegion,
        kept: &'a mut [u8],
        inputs: &[AnyView<'a>],
        outputs: impl ExactSizeIterator<Item = (NonNull<u8>, TensorInfo)>,
    ) -> Result<BoundTiling<'a>, RunError> {
        let kernel = tiling.kernel;
        let (found, expected) = (inputs.len(), kernel.inputs.len());
        if found != expected {
            return Err(InvalidConfiguration::InputCount { kernel: kernel.name, found, expected }.into());
        }
        let (found, expected) = (outputs.len(), kernel.outputs.len());
        if found != expected {
            return Err(InvalidConfiguration::OutputCount { kernel: kernel.name, found, expected }.into());
        }
        let (range, space) = (tiling.range, tiling.space);
        let mut images = Images { inputs: [None; MAX_ARGUMENTS], outputs: [None; MAX_ARGUMENTS], range, space };
        for ((place, view), image) in images.inputs.iter_mut().zip(inputs).zip(kernel.inputs) {
            tiling.check(image, view.info())?;
            *place = Some(*view);
        }
        for ((place, (base, info)), image) in images.outputs.iter_mut().zip(outputs).zip(kernel.outputs) {
            tiling.check(image, &info)?;
            check_disjoint(image.name, &info)?;
            *place = Some((base, info));
        }
        if let Some(before_run) = kernel.before_run {
            before_run(kept, &tiling.words[..kernel.words]);
        }
        Ok(BoundTiling { tiling: *tiling, kept, images, valid: valid.plane(), outputs: PhantomData })
    }
}

/// An output may share memory with no other image: tiles of one read what tiles of another would write.
fn check_overlaps(tiling: &Tiling, images: &Images<'_>) -> Result<(), RunError> {
    let kernel = tiling.kernel;
    let read = images.inputs.iter().map(|view| view.as_ref().map(|view| (view.base(), view.info())));
    let written = images.outputs.iter().map(|place| place.as_ref().map(|(base, info)| (*base, info)));
    let Some(Overlap { output, other, with_output }) = overlap::find(read, written, overlap::share) else {
        return Ok(());
    };
    let other = if with_output { kernel.outputs[other].name } else { kernel.inputs[other].name };
    Err(RunError::Overlap { output: kernel.outputs[output].name, other })
}

impl DynKernel for BoundTiling<'_> {
    fn name(&self) -> &str {
        self.tiling.kernel.name
    }

    fn window(&self) -> Window {
        self.tiling.window()
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(0, self.tiling.tile.0 as usize).along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        self.tiling.greatest_tile_memory()
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        let (x, y) = (window.dimension(0), window.dimension(1));
        let region = Rect::new(x.start(), y.start(), x.end(), y.end()).intersect(&self.valid);
        let mut tiles = tiles(&self.tiling.division, self.tiling.tile, region);
        tiles.try_for_each(|(rect, fast)| self.tile(rect, fast, thread.scratch))
    }
}

impl BoundTiling<'_> {
    /// Calls the function of one tile.
    fn tile(&self, rect: Rect, fast: bool, scratch: &mut [u8]) -> Result<(), RunError> {
        let kernel = self.tiling.kernel;
        let function: Option<TileFunction> = if fast { kernel.fast } else { kernel.flexible };
        let Some(function) = function else { return Ok(()) };
        let (columns, rows) = blocks(rect, kernel.block);
        let (found, expected) = (scratch.len(), kernel.tile_memory * columns * rows);
        let memory = scratch.get_mut(..expected).ok_or(RunError::Scratch { found, expected })?;
        let mut tile = Tile {
            kernel,
            images: &self.images,
            rect,
            shape: self.tiling.shape,
            memory,
            kept: self.kept,
            words: &self.tiling.words[..kernel.words],
            taken: [false; MAX_ARGUMENTS],
        };
        function(&mut tile).map_err(|error| RunError::Tile { kernel: kernel.name, error })
    }
}

/// The tiles of `division` inside `region`, at most `tile` blocks each, and whether the fast function computes them.
pub(super) fn tiles(division: &Division, tile: (u32, u32), region: Rect) -> impl Iterator<Item = (Rect, bool)> + use<> {
    let DividedWindow { fast, flexible } = aligned_parts(division);
    let is_fast = division.bodies != Bodies::Flexible;
    let size = (tile.0 as usize * division.block.0 as usize, tile.1 as usize * division.block.1 as usize);
    let rects =
        [(fast, is_fast), (flexible[0], false), (flexible[1], false), (flexible[2], false), (flexible[3], false)];
    rects.into_iter().flat_map(move |(rect, fast)| pieces(rect.intersect(&region), size).map(move |rect| (rect, fast)))
}

/// The division, where the flexible function alone computes everything: its aligned part too as a part of its own.
fn aligned_parts(division: &Division) -> DividedWindow {
    let both = match division.bodies {
        Bodies::Flexible => Division { bodies: Bodies::Both, ..*division },
        Bodies::Fast | Bodies::Both => *division,
    };
    divide(&both).unwrap_or_default()
}

/// The pieces of `rect` between lines `size` apart, counted from (0, 0).
fn pieces(rect: Rect, size: (usize, usize)) -> impl Iterator<Item = Rect> {
    let cuts = |start: usize, end: usize, size: usize| {
        (start / size..end.div_ceil(size)).map(move |index| ((index * size).max(start), ((index + 1) * size).min(end)))
    };
    let rows = cuts(rect.y0, rect.y1, size.1);
    rows.flat_map(move |(y0, y1)| cuts(rect.x0, rect.x1, size.0).map(move |(x0, x1)| Rect::new(x0, y0, x1, y1)))
        .filter(|rect| !rect.is_empty())
}
