//! Runs a configured tiling kernel: cuts a window's part into tiles, and calls the function of each.
//!
//! Tiles are cut along the grid of the greatest tile, from (0, 0), so that as many as can be are whole blocks. A kernel with
//! a flexible function alone gets the part that would be fast in aligned tiles too.

use core::marker::PhantomData;

use super::{
    configure::ConfiguredTiling,
    kernel::TileFunction,
    tile::{Images, Tile, blocks},
};
use crate::{
    divide::{Bodies, Division, Parts, divide},
    error::{InvalidConfiguration, RunError},
    infer::{check_disjoint, check_type},
    info::TensorInfo,
    kernel::{DynKernel, Splits, ThreadInfo},
    overlap::{self, Overlap},
    region::Rect,
    view::{AnyView, AnyViewMut},
    window::Window,
};
use windrow_reference::limits::MAX_ARGUMENTS;

/// A configured tiling kernel with its images.
#[derive(Debug)]
pub struct BoundTiling<'a> {
    configured: Held<'a>,
    images: Images<'a>,
    /// The elements that are computed.
    valid: Rect,
    /// The outputs, whose pointers stand in the images.
    outputs: PhantomData<&'a mut [u8]>,
}

/// A configuration of the caller's, or one that is made for a run.
#[derive(Debug)]
enum Held<'a> {
    Borrowed(&'a ConfiguredTiling<'a>),
    #[cfg(feature = "std")]
    Own(Box<ConfiguredTiling<'a>>),
}

impl<'a> core::ops::Deref for Held<'a> {
    type Target = ConfiguredTiling<'a>;

    fn deref(&self) -> &ConfiguredTiling<'a> {
        match self {
            Held::Borrowed(configured) => configured,
            #[cfg(feature = "std")]
            Held::Own(configured) => configured,
        }
    }
}

/// As [`bind`], with a configuration that lives as long as the run, of which the elements of `valid` alone are computed. The caller
/// knows that the outputs have memory of their own: in bands the images lie where they would if all of their rows were there.
#[cfg(feature = "std")]
pub(super) fn bind_owned<'a>(
    mut configured: ConfiguredTiling<'a>,
    valid: Rect,
    inputs: &[AnyView<'a>],
    mut outputs: Vec<AnyViewMut<'a>>,
) -> Result<BoundTiling<'a>, RunError> {
    let images = prepare(&mut configured, inputs, &mut outputs)?;
    Ok(BoundTiling { configured: Held::Own(configured.into()), images, valid, outputs: PhantomData })
}

/// Checks the images against the configuration; what is kept is made ready for this run.
pub(super) fn bind<'a>(
    configured: &'a mut ConfiguredTiling<'_>,
    inputs: &[AnyView<'a>],
    outputs: &'a mut [AnyViewMut<'_>],
) -> Result<BoundTiling<'a>, RunError> {
    let images = prepare(configured, inputs, outputs)?;
    check_overlaps(configured, &images)?;
    let whole = Rect::new(0, 0, configured.shape.width(), configured.shape.height());
    Ok(BoundTiling { configured: Held::Borrowed(configured), images, valid: whole, outputs: PhantomData })
}

/// The images of a run; the caller holds the outputs' exclusive borrow.
fn prepare<'a>(
    configured: &mut ConfiguredTiling<'_>,
    inputs: &[AnyView<'a>],
    outputs: &mut [AnyViewMut<'_>],
) -> Result<Images<'a>, RunError> {
    let kernel = configured.kernel;
    let (found, expected) = (inputs.len(), kernel.inputs.len());
    if found != expected {
        return Err(InvalidConfiguration::InputCount { kernel: kernel.name, found, expected }.into());
    }
    let (found, expected) = (outputs.len(), kernel.outputs.len());
    if found != expected {
        return Err(InvalidConfiguration::OutputCount { kernel: kernel.name, found, expected }.into());
    }
    let (range, space) = (configured.range, configured.space);
    let mut images = Images { inputs: [None; MAX_ARGUMENTS], outputs: [None; MAX_ARGUMENTS], range, space };
    for ((place, view), image) in images.inputs.iter_mut().zip(inputs).zip(kernel.inputs) {
        check_type(image.name, view.info(), image.element, image.channels)?;
        configured.check_shape(view.info(), image.name)?;
        check_rows(image.name, view.info())?;
        *place = Some(*view);
    }
    for ((place, view), image) in images.outputs.iter_mut().zip(outputs.iter()).zip(kernel.outputs) {
        check_type(image.name, view.info(), image.element, image.channels)?;
        configured.check_shape(view.info(), image.name)?;
        check_rows(image.name, view.info())?;
        check_disjoint(image.name, view.info())?;
        *place = Some((view.base(), *view.info()));
    }
    if let Some(before_run) = kernel.before_run {
        let (kept, words) = (&mut *configured.kept, &configured.words[..kernel.words]);
        before_run(kept, words);
    }
    Ok(images)
}

/// Tiles lend rows as slices.
fn check_rows(argument: &'static str, info: &TensorInfo) -> Result<(), InvalidConfiguration> {
    let (found, expected) = (info.inner_stride(0), info.pixel_size());
    match info.layout().has_contiguous_rows() {
        true => Ok(()),
        false => Err(InvalidConfiguration::RowStride { argument, found, expected }),
    }
}

/// An output may share memory with no other image: tiles of one read what tiles of another would write.
fn check_overlaps(configured: &ConfiguredTiling<'_>, images: &Images<'_>) -> Result<(), RunError> {
    let kernel = configured.kernel;
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
        self.configured.kernel.name
    }

    fn window(&self) -> Window {
        self.configured.window()
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(0, self.configured.tile.0 as usize).along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        self.configured.greatest_tile_memory()
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        let (x, y) = (window.dimension(0), window.dimension(1));
        let region = Rect::new(x.start(), y.start(), x.end(), y.end()).intersect(&self.valid);
        self.configured.tiles(region).try_for_each(|(rect, fast)| self.tile(rect, fast, thread.scratch))
    }
}

impl BoundTiling<'_> {
    /// Calls the function of one tile.
    fn tile(&self, rect: Rect, fast: bool, scratch: &mut [u8]) -> Result<(), RunError> {
        let configured = &*self.configured;
        let kernel = configured.kernel;
        let function: Option<TileFunction> = if fast { kernel.fast } else { kernel.flexible };
        let Some(function) = function else { return Ok(()) };
        let (columns, rows) = blocks(rect, kernel.block);
        let (found, expected) = (scratch.len(), kernel.tile_memory * columns * rows);
        let memory = scratch.get_mut(..expected).ok_or(RunError::Scratch { found, expected })?;
        let mut tile = Tile {
            kernel,
            images: &self.images,
            rect,
            shape: configured.shape,
            memory,
            kept: configured.kept,
            words: &configured.words[..kernel.words],
            taken: [false; MAX_ARGUMENTS],
        };
        function(&mut tile).map_err(|error| RunError::Tile { kernel: kernel.name, error })
    }
}

/// The tiles of `division` inside `region`, at most `tile` blocks each, and whether the fast function computes them.
pub(super) fn tiles(division: &Division, tile: (u32, u32), region: Rect) -> impl Iterator<Item = (Rect, bool)> + use<> {
    let Parts { fast, flexible } = aligned_parts(division);
    let is_fast = division.bodies != Bodies::Flexible;
    let size = (tile.0 as usize * division.block.0 as usize, tile.1 as usize * division.block.1 as usize);
    let rects =
        [(fast, is_fast), (flexible[0], false), (flexible[1], false), (flexible[2], false), (flexible[3], false)];
    rects.into_iter().flat_map(move |(rect, fast)| pieces(rect.intersect(&region), size).map(move |rect| (rect, fast)))
}

/// The division, where the flexible function alone computes everything: its aligned part too as a part of its own.
fn aligned_parts(division: &Division) -> Parts {
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
