//! One band: every kernel of the chain over the rows that the band needs, from the images and a thread's own buffers.

use core::{marker::PhantomData, ptr::NonNull};

use super::{
    Bands, Buffer,
    rows::{BandRows, Piece},
};
use crate::{
    arguments::{InputList, OutputList},
    border::BorderMode,
    configure::Plan,
    error::RunError,
    execute::run_window,
    function::{Images, Stage},
    info::TensorInfo,
    job::Job,
    kernel::{DynKernel, Splits, ThreadInfo},
    limits::{MAX_ARGUMENTS, MAX_DIMENSIONS},
    planes::{Planes, broadcast_place},
    stage::copy,
    view::AnyView,
    window::Window,
};

/// What errors and hosts call it.
pub(super) const NAME: &str = "bands";

/// Every slot of a chain is in a buffer or the caller's: an error of ours.
const LOST: RunError = RunError::Kernel { reason: "a band has lost an image" };

/// A chain in bands, with its images: each band is an iteration of its window.
pub struct BoundBands<'a> {
    bands: &'a Bands,
    images: Images<'a>,
    /// The outputs, whose pointers stand in `images`.
    outputs: PhantomData<&'a mut [u8]>,
}

// SAFETY: the outputs are borrowed exclusively, and parts of the window that run at once write disjoint rows of them.
unsafe impl Sync for BoundBands<'_> {}

impl<'a> BoundBands<'a> {
    pub(super) fn new(bands: &'a Bands, images: Images<'a>) -> BoundBands<'a> {
        BoundBands { bands, images, outputs: PhantomData }
    }
}

impl DynKernel for BoundBands<'_> {
    fn name(&self) -> &str {
        NAME
    }

    fn window(&self) -> Window {
        let shape = self.bands.shape;
        Window::covering([0; MAX_DIMENSIONS], shape.extents(), (shape.width() as u32, self.bands.rows() as u32))
    }

    fn splits(&self) -> Splits {
        (1..MAX_DIMENSIONS).fold(Splits::NONE, |splits, dimension| splits.along(dimension, 1))
    }

    fn scratch_per_thread(&self) -> usize {
        self.bands.scratch
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        let (y, step) = (window.dimension(1), self.bands.rows());
        let scratch: *mut u8 = thread.scratch.as_mut_ptr();
        let start: [usize; MAX_DIMENSIONS] = core::array::from_fn(|d| window.dimension(d).start());
        let end = core::array::from_fn(|d| window.dimension(d).end());
        for band in y.start() / step..y.end() / step {
            let rows = BandRows::new(&self.bands.chain, &self.bands.ladder, band);
            for at in Planes::within(start, end) {
                let band = Band { bands: self.bands, images: &self.images, rows: &rows, scratch, at };
                for (index, stage) in self.bands.chain.stages.iter().enumerate() {
                    // SAFETY: this thread's scratch has the bytes asked for; bands of disjoint windows write disjoint rows.
                    unsafe { band.run(index, stage) }?;
                }
            }
        }
        Ok(())
    }
}

/// A band of one plane.
struct Band<'a> {
    bands: &'a Bands,
    images: &'a Images<'a>,
    rows: &'a BandRows,
    /// The thread's buffers.
    scratch: *mut u8,
    /// The plane.
    at: [usize; MAX_DIMENSIONS],
}

impl Band<'_> {
    /// Computes the stage's rows.
    ///
    /// # Safety
    /// The scratch has the bands' bytes and is this thread's alone, as are the band's own rows of the outputs. The stages before
    /// have been run.
    unsafe fn run(&self, index: usize, stage: &Stage) -> Result<(), RunError> {
        // `bind_images` has found every stage prepared.
        let Ok(plan) = stage.prepared() else { return Ok(()) };
        let (valid, shape) = (plan.valid, plan.shape);
        let is_valid =
            |d: usize| (valid.start[d]..valid.end[d]).contains(&self.at[d].min(shape.extent(d).saturating_sub(1)));
        if (2..MAX_DIMENSIONS).all(is_valid) {
            for piece in self.rows.computed[index].iter().filter(|piece| piece.start < piece.end) {
                // SAFETY: the caller's.
                unsafe { self.compute(stage, plan, piece) }?;
            }
            for &slot in stage.outputs.iter().flatten() {
                // SAFETY: the caller's.
                unsafe { self.copy_out(plan, slot) }?;
            }
        }
        Ok(())
    }

    /// Computes rows of the stage that follow one another.
    ///
    /// # Safety
    /// As [`Band::run`].
    unsafe fn compute(&self, stage: &Stage, plan: &Plan, piece: &Piece) -> Result<(), RunError> {
        let (mut read, mut unrolled) = (InputList::default(), [false; MAX_ARGUMENTS]);
        for ((place, &slot), unrolled) in stage.inputs.iter().enumerate().zip(&mut unrolled) {
            let (base, info) = self.place(slot, piece.turns)?;
            // SAFETY: the body reads the rows that lie in the caller's image or in this thread's buffer, and no other (see below).
            read.view(unsafe { AnyView::from_raw(base, info) });
            let wraps = plan.borders.of(place).mode() == BorderMode::Wrap;
            *unrolled = wraps && self.is_unrolled(slot, &info);
        }
        stage.tables.list().for_each(|table| read.tables.push(table));
        let mut written = OutputList::default();
        for slot in &stage.outputs {
            written.places.push(slot.map(|slot| self.place(slot, piece.turns)).transpose()?);
        }
        let valid = plan.valid.plane();
        let (mut first, mut behind) = ([0; MAX_DIMENSIONS], [1; MAX_DIMENSIONS]);
        (first[0], first[1], behind[0], behind[1]) = (valid.x0, piece.start, valid.x1, piece.end);
        let job = Job::new(read, unrolled, written);
        // SAFETY: every row that the stage reads for these rows lies in an image or in a buffer (`BandRows`); its outputs' rows are
        // in this thread's buffers, or the band's own.
        unsafe { run_window(plan, &job, &Window::covering(first, behind, (1, 1))) };
        Ok(())
    }

    /// The first element of the slot's plane and its metadata: in the caller's image, or where it would lie if the buffer, which
    /// holds the rows that the band needs, held all of them; so many heights further on where rows are counted on.
    fn place(&self, slot: usize, turns: isize) -> Result<(NonNull<u8>, TensorInfo), RunError> {
        let Some(Buffer { offset, info }) = self.bands.buffers[slot] else { return self.plane(slot) };
        let on = if self.is_unrolled(slot, &info) { turns * info.height() as isize } else { 0 };
        let rows = on - self.rows.extents[slot].0;
        let base = self.scratch.wrapping_add(offset).wrapping_offset(rows * info.stride(1) as isize);
        Ok((NonNull::new(base).ok_or(LOST)?, info))
    }

    /// Whether the slot's buffer holds rows that are counted on beyond the image.
    fn is_unrolled(&self, slot: usize, info: &TensorInfo) -> bool {
        self.bands.buffers[slot].is_some() && self.rows.is_unrolled(slot, info.height())
    }

    /// The plane of the caller's image.
    fn plane(&self, slot: usize) -> Result<(NonNull<u8>, TensorInfo), RunError> {
        let (base, info) = self.images.place(&self.bands.chain.slots[slot]).ok_or(LOST)?;
        let extents = [info.width(), info.height(), 1, 1, 1, 1];
        let (offset, info) = info.region(&broadcast_place(&info, self.at), &extents).map_err(|_| LOST)?;
        // SAFETY: `offset` is that of an element.
        Ok((unsafe { base.add(offset) }, info))
    }

    /// Copies the band's own rows of an output that is kept in a buffer.
    ///
    /// # Safety
    /// As [`Band::run`], and the stage that writes the slot has been run.
    unsafe fn copy_out(&self, plan: &Plan, slot: usize) -> Result<(), RunError> {
        if self.bands.buffers[slot].is_none() || self.bands.chain.slots[slot].output.is_none() {
            return Ok(());
        }
        let (valid, (start, end)) = (plan.valid.plane(), self.rows.owned[slot]);
        let ((from, buffer), (to, image)) = (self.place(slot, 0)?, self.plane(slot)?);
        let column = valid.x0 * image.pixel_size();
        for y in start.max(valid.y0)..end.min(valid.y1) {
            // SAFETY: the row's valid columns lie in the buffer and in the image.
            unsafe {
                let from = from.as_ptr().wrapping_add(y * buffer.stride(1) + column);
                copy(from, to.as_ptr().add(y * image.stride(1) + column), valid.width() * image.pixel_size());
            }
        }
        Ok(())
    }
}
