//! Band execution: a chain runs band by band, so that its intermediates stay in the cache.
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

mod check;
mod execute;
mod rows;

use core::{fmt, ops::Range};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    vec::Vec,
};

use crate::{
    error::RunError,
    function::{
        Chain, ChainBuilder, Composite, Executable, Executor, Function, FunctionError, Images, Listing, Stage,
        bind_images,
    },
    info::{Shape, TensorInfo},
    kernel::{DynKernel, SCRATCH_ALIGNMENT},
    memory::{Lifetime, MemoryError, Planner},
    schedule::{Scheduler, schedule_with_scratch, scratch_bytes},
    view::{AnyView, AnyViewMut},
};

pub use execute::BoundBands;
use rows::{BandRows, Ladder};

/// Bytes that a thread's intermediates may take, unless the caller says otherwise: half of a common second-level cache.
pub const CACHE: usize = 256 * 1024;

/// Rows of a band that are tried, the most first. With fewer, more is computed twice than a cache brings.
const ROWS: [usize; 8] = [128, 96, 64, 48, 32, 24, 16, 8];

/// A chain, to be run band by band. It keeps the scratch of its threads from run to run.
#[derive(Debug)]
pub struct Bands {
    chain: Chain,
    ladder: Ladder,
    buffers: Vec<Option<Buffer>>,
    /// For each stage, its workspace and its scratch in the thread's.
    workspaces: Vec<[Range<usize>; 2]>,
    /// Bytes of a thread's buffers, workspaces and scratch.
    scratch: usize,
    /// The shape of the tallest output.
    shape: Shape,
    idle: Idle,
}

/// The threads' scratch of runs that are over, for those to come.
#[derive(Default)]
struct Idle(Mutex<Vec<Vec<u8>>>);

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lock().iter().map(Vec::len)).finish()
    }
}

/// Where the rows of a value lie that a band needs, in a thread's scratch.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    offset: usize,
    /// The metadata of all of the value's rows, at the buffer's pitch.
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
        let Layout { ladder, buffers, workspaces, scratch, shape } = last.ok_or(FunctionError::NoOutput)?;
        Ok(Bands { chain, ladder, buffers, workspaces, scratch, shape, idle: Idle::default() })
    }

    /// Returns the number of rows of a band, in the tallest output.
    pub fn rows(&self) -> usize {
        self.ladder.rows()
    }

    /// Returns the rows of output `output` that each band writes, from the first band to the last.
    pub fn output_rows(&self, output: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let height = self.chain.output(output).map(TensorInfo::height);
        (0..self.ladder.count()).filter_map(move |band| Some(self.ladder.owned(height?, band)))
    }

    /// Returns the rows of input `input` that each band reads, from the first band to the last.
    pub fn input_rows(&self, input: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let value = self.chain.values.iter().position(|value| value.input == Some(input));
        (0..self.ladder.count()).filter_map(move |band| {
            let (start, end) = BandRows::new(&self.chain, &self.ladder, band).extents[value?];
            // An image's rows are never counted on beyond it.
            Some((start as usize, end as usize))
        })
    }

    /// Returns the number of bytes that each thread needs for its intermediates.
    pub fn scratch_per_thread(&self) -> usize {
        self.scratch
    }

    /// Returns the chain that runs.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Returns the bands with their images, for a host that schedules them itself.
    pub fn bind<'a>(
        &'a self,
        inputs: &'a [AnyView<'a>],
        outputs: &'a mut [AnyViewMut<'_>],
    ) -> Result<BoundBands<'a>, FunctionError> {
        let images: Images<'a> = bind_images(&self.chain, inputs, outputs)?;
        BoundBands::new(self, images)
    }

    fn of_rows(chain: &Chain, rows: usize) -> Result<Layout, FunctionError> {
        let outputs = || chain.outputs.iter().map(|&value| chain.values[value].info.shape());
        let shape = outputs().max_by_key(|shape| shape.height()).ok_or(FunctionError::NoOutput)?;
        let ladder = Ladder::new(shape.height(), rows);
        let mut most = vec![0; chain.values.len()];
        for band in 0..ladder.count() {
            let extents = BandRows::new(chain, &ladder, band).extents;
            most.iter_mut().zip(extents).for_each(|(most, (start, end))| *most = (end - start).max(*most));
        }
        let (mut lifetimes, mut pitched) = (Vec::new(), Vec::new());
        let life = |size, first, last| Lifetime { size, alignment: SCRATCH_ALIGNMENT, first, last };
        for (value, &rows) in most.iter().enumerate() {
            let Some(writer) = rows::writer_of_buffer(chain, value) else { continue };
            let info = pitched_info(&chain.values[value].info)?;
            let size = (rows as usize).saturating_mul(info.row_stride().unsigned_abs());
            lifetimes.push(life(size, writer, chain.values[value].last_read.unwrap_or(writer)));
            pitched.push((value, info));
        }
        for (index, stage) in chain.stages.iter().enumerate() {
            let workspace = stage.compiled.workspace();
            lifetimes.extend([workspace.per_run, workspace.per_thread].map(|size| life(size, index, index)));
        }
        let plan = Planner::Arena.plan(&lifetimes);
        // No thread has more, and what lies in less begins and ends there.
        if isize::try_from(plan.size()).is_err() {
            return Err(MemoryError::InvalidLayout { bytes: plan.size(), alignment: SCRATCH_ALIGNMENT }.into());
        }
        let mut buffers = vec![None; chain.values.len()];
        let (of_values, of_stages) = plan.places.split_at(pitched.len());
        for ((value, info), place) in pitched.into_iter().zip(of_values) {
            buffers[value] = Some(Buffer { offset: place.offset, info });
        }
        let sizes = lifetimes.iter().skip(of_values.len()).map(|life| life.size);
        let ranges: Vec<_> =
            of_stages.iter().zip(sizes).map(|(place, size)| place.offset..place.offset + size).collect();
        let pair = |pair: &[Range<usize>]| [pair[0].clone(), pair[1].clone()];
        let workspaces = ranges.chunks_exact(2).map(pair).collect();
        Ok(Layout { ladder, buffers, workspaces, scratch: plan.size(), shape })
    }
}

/// What follows from a number of rows.
struct Layout {
    ladder: Ladder,
    buffers: Vec<Option<Buffer>>,
    workspaces: Vec<[Range<usize>; 2]>,
    scratch: usize,
    shape: Shape,
}

/// One plane of a tensor, with rows at multiples of a cache line.
fn pitched_info(info: &TensorInfo) -> Result<TensorInfo, FunctionError> {
    let pitch = (info.width() * info.pixel_size()).next_multiple_of(SCRATCH_ALIGNMENT);
    let (extents, strides) = ([info.height(), info.width()], [pitch as isize, info.pixel_size() as isize]);
    Ok(TensorInfo::with_strides(info.dtype(), info.channels(), &extents, &strides)?)
}

impl Function for Bands {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        let mut bound = BoundBands::new(self, bind_images(&self.chain, inputs, outputs)?)?;
        let (window, bytes) = (bound.window(), scratch_bytes(scheduler, &bound));
        let mut scratch = self.idle.lock().pop().unwrap_or_default();
        let mut run = || {
            let (found, missing) = (scratch.len(), bytes.saturating_sub(scratch.len()));
            scratch.try_reserve_exact(missing).map_err(|_| RunError::Scratch { found, expected: bytes })?;
            scratch.resize(found + missing, 0);
            schedule_with_scratch(scheduler, &mut bound, &window, &mut scratch)
        };
        let done = run();
        self.idle.lock().push(scratch);
        done.map_err(|error| FunctionError::run(execute::NAME, error))
    }
}

/// The executor that runs band by band; each thread has buffers of its own for the intermediates.
#[derive(Clone, Copy, Debug)]
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

    fn listing(&self) -> Listing {
        let place = std::format!("the processor, in bands of {} rows", self.rows());
        Listing::of_stages(self.chain.stages.iter().map(Stage::name), &place)
    }
}

impl ChainBuilder {
    /// Returns the chain, to be run band by band: its intermediates take about `cache` bytes of each thread's scratch
    /// ([`CACHE`] is a good measure).
    ///
    /// # Errors
    /// [`FunctionError::Planes`] where its images do not have the same planes, [`FunctionError::Refused`] where a stage needs more
    /// than the rows of a band.
    pub fn finish_in_bands(self, cache: usize) -> Result<Bands, FunctionError> {
        let chain = self.finish_without_memory()?;
        check::check(&chain)?;
        Bands::new(chain, cache)
    }
}
