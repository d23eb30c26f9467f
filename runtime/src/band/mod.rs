//! Band execution: a chain of kernels runs band by band, so that its intermediates stay in the cache.
//!
//! ```text
//!  input          blurred        output
//! ┌──────┐                                  A band of the output needs some rows more of what it reads, and these some
//! │▒▒▒▒▒▒│       ┌──────┐                   rows more again: as many as the neighbourhoods say. Each thread has a buffer
//! │▓▓▓▓▓▓│  ──►  │▒▒▒▒▒▒│  ──►  ┌──────┐    of its own for them. Rows that two bands need are computed for both, so that
//! │▓▓▓▓▓▓│       │▓▓▓▓▓▓│       │▓▓▓▓▓▓│    bands depend on nothing: any thread may take any band, in any order.
//! │▒▒▒▒▒▒│       │▒▒▒▒▒▒│       └──────┘
//! └──────┘       └──────┘
//! ```
//!
//! The result is that of the chain run kernel by kernel, to the bit. This is what OpenVX's tiling is for; bands are whole rows,
//! since rows are what kernels run along.

mod execute;
mod rows;

use std::vec::Vec;

use crate::{
    function::{
        Chain, ChainBuilder, Composite, Executable, Executor, Function, FunctionError, Images, Value, bind_images,
    },
    info::{Shape, TensorInfo},
    kernel::SCRATCH_ALIGNMENT,
    limits::MAX_DIMENSIONS,
    memory::{Lifetime, Planner},
    schedule::{Scheduler, schedule},
    view::{AnyView, AnyViewMut},
};

pub use execute::BoundBands;
use rows::{BandRows, Ladder};

/// Bytes that a thread's intermediates may take, unless the caller says otherwise: half of a common second-level cache.
pub const CACHE: usize = 256 * 1024;

/// Rows of a band that are tried, the most first. With fewer, more is computed twice than a cache brings.
const ROWS: [usize; 8] = [128, 96, 64, 48, 32, 24, 16, 8];

/// A chain, to be run band by band.
#[derive(Debug)]
pub struct Bands {
    chain: Chain,
    ladder: Ladder,
    buffers: Vec<Option<Buffer>>,
    /// Bytes of a thread's buffers.
    scratch: usize,
    /// The shape of the tallest output.
    shape: Shape,
}

/// Where the rows of a slot lie that a band needs, in a thread's scratch.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    offset: usize,
    /// The metadata of all of the slot's rows, at the buffer's pitch.
    info: TensorInfo,
}

impl Bands {
    /// The chain, in bands whose intermediates fit `cache` bytes where bands of 8 rows do.
    fn new(chain: Chain, cache: usize) -> Result<Bands, FunctionError> {
        let mut last = None;
        for rows in ROWS {
            let bands = Bands::of_rows(&chain, rows)?;
            let fits = bands.scratch <= cache;
            last = Some(bands);
            if fits {
                break;
            }
        }
        let Layout { ladder, buffers, scratch, shape } = last.ok_or(FunctionError::NoOutput)?;
        Ok(Bands { chain, ladder, buffers, scratch, shape })
    }

    /// Rows of a band, in the tallest output.
    pub fn rows(&self) -> usize {
        self.ladder.rows()
    }

    /// The rows of output `output` that each band writes, from the first band to the last.
    pub fn output_rows(&self, output: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let slot = self.chain.outputs.get(output).map(|&slot| self.chain.slots[slot].info.height());
        (0..self.ladder.count()).filter_map(move |band| Some(self.ladder.owned(slot?, band)))
    }

    /// The rows of input `input` that each band reads, from the first band to the last.
    pub fn input_rows(&self, input: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let slot = self.chain.slots.iter().position(|slot| slot.input == Some(input));
        (0..self.ladder.count()).filter_map(move |band| {
            let (start, end) = BandRows::new(&self.chain, &self.ladder, band).extents[slot?];
            // An image's rows are never counted on beyond it.
            Some((start as usize, end as usize))
        })
    }

    /// Bytes that each thread needs for its intermediates.
    pub fn scratch_per_thread(&self) -> usize {
        self.scratch
    }

    /// The chain that runs.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The bands with their images, for a host that schedules them itself.
    pub fn bind<'a>(
        &'a self,
        inputs: &[AnyView<'a>],
        outputs: &'a mut [AnyViewMut<'_>],
    ) -> Result<BoundBands<'a>, FunctionError> {
        let images: Images<'a> = bind_images(&self.chain, inputs, outputs)?;
        Ok(BoundBands::new(self, images))
    }

    fn of_rows(chain: &Chain, rows: usize) -> Result<Layout, FunctionError> {
        let outputs = || chain.outputs.iter().map(|&slot| chain.slots[slot].info.shape());
        let shape = outputs().max_by_key(|shape| shape.height()).ok_or(FunctionError::NoOutput)?;
        let ladder = Ladder::new(shape.height(), rows);
        let mut most = vec![0; chain.slots.len()];
        for band in 0..ladder.count() {
            let extents = BandRows::new(chain, &ladder, band).extents;
            most.iter_mut().zip(extents).for_each(|(most, (start, end))| *most = (end - start).max(*most));
        }
        let (mut lifetimes, mut pitched) = (Vec::new(), Vec::new());
        for (slot, &rows) in most.iter().enumerate() {
            let Some(writer) = rows::writer_of_buffer(chain, slot) else { continue };
            let info = pitched_info(&chain.slots[slot].info)?;
            let last = chain.slots[slot].last_read.unwrap_or(writer);
            let size = (rows as usize).saturating_mul(info.stride(1));
            lifetimes.push(Lifetime { size, alignment: SCRATCH_ALIGNMENT, first: writer, last });
            pitched.push((slot, info));
        }
        let plan = Planner::Offsets.plan(&lifetimes);
        let mut buffers = vec![None; chain.slots.len()];
        for ((slot, info), place) in pitched.into_iter().zip(&plan.places) {
            buffers[slot] = Some(Buffer { offset: place.offset, info });
        }
        Ok(Layout { ladder, buffers, scratch: plan.size(), shape })
    }
}

/// What follows from a number of rows.
struct Layout {
    ladder: Ladder,
    buffers: Vec<Option<Buffer>>,
    scratch: usize,
    shape: Shape,
}

/// One plane of a tensor, with rows at multiples of a cache line.
fn pitched_info(info: &TensorInfo) -> Result<TensorInfo, FunctionError> {
    let pitch = (info.width() * info.pixel_size()).next_multiple_of(SCRATCH_ALIGNMENT);
    let (extents, strides) = ([info.width(), info.height()], [info.pixel_size(), pitch]);
    Ok(TensorInfo::with_strides(info.element(), info.channels(), &extents, &strides)?)
}

impl Function for Bands {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        let mut bound = BoundBands::new(self, bind_images(&self.chain, inputs, outputs)?);
        schedule(scheduler, &mut bound).map_err(|error| FunctionError::run(execute::NAME, error))
    }
}

/// Runs band by band, each thread with buffers of its own for the intermediates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InBands {
    /// Bytes that a thread's intermediates take, about; [`CACHE`] is a good measure.
    pub cache: usize,
}

impl Executor for InBands {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        Ok(Composite::new(chain.finish_in_bands(self.cache)?))
    }
}

impl Executable for Bands {
    fn chain(&self) -> &Chain {
        &self.chain
    }
}

impl ChainBuilder {
    /// The chain, to be run band by band: its intermediates take about `cache` bytes of each thread's scratch ([`CACHE`] is a
    /// good measure).
    ///
    /// # Errors
    /// [`FunctionError::Planes`] where its images do not have the same planes.
    pub fn finish_in_bands(self, cache: usize) -> Result<Bands, FunctionError> {
        let chain = self.finish_without_memory()?;
        check_planes(&chain)?;
        Bands::new(chain, cache)
    }
}

/// Bands go plane by plane: every output has the same planes, every other image those, or one for all.
fn check_planes(chain: &Chain) -> Result<(), FunctionError> {
    let Some(&first) = chain.outputs.first() else { return Err(FunctionError::NoOutput) };
    let first = chain.slots[first].info.shape();
    let fits = |slot: &&Value| {
        let shape = slot.info.shape();
        let same = |d: usize| shape.extent(d) == first.extent(d) || (slot.output.is_none() && shape.extent(d) == 1);
        (2..MAX_DIMENSIONS).all(same)
    };
    match chain.slots.iter().find(|slot| !fits(slot)) {
        Some(slot) => Err(FunctionError::Planes { first, found: slot.info.shape() }),
        None => Ok(()),
    }
}
