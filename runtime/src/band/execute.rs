//! One band: every kernel of the chain over the rows that the band needs, from the images and a thread's own buffers.

use core::{marker::PhantomData, ops::Range, ptr::NonNull};
use std::{boxed::Box, vec::Vec};

use super::{
    Bands, Buffer,
    rows::{BandRows, Piece},
};
use crate::{
    arguments::AnyTable,
    border::BorderMode,
    error::RunError,
    function::{Arguments, Compiled, FunctionError, Images, Place, Stage},
    infer::check_whole,
    info::{MAX_DIMENSIONS, TensorInfo},
    kernel::{DynKernel, Splits, ThreadInfo},
    planes::Coordinates,
    stage::copy_elements,
    view::{AnyView, AnyViewMut},
    window::Window,
};

/// What errors and hosts call it.
pub(super) const NAME: &str = "bands";

/// Every value of a chain is in a buffer or the caller's: an error of ours.
const LOST: RunError = RunError::Kernel { reason: "a band has lost an image" };

/// A chain in bands, with its images: each band is an iteration of its window.
pub struct BoundBands<'a> {
    bands: &'a Bands,
    images: Images<'a>,
    /// The tables of each stage, in argument order.
    tables: Vec<Vec<AnyTable<'a>>>,
    /// The code of stages whose uniforms the caller's images give.
    computed: Vec<Option<Box<dyn Compiled>>>,
    /// The outputs, whose pointers are in `images`.
    outputs: PhantomData<&'a mut [u8]>,
}

// SAFETY: the outputs are borrowed exclusively, and parts of the window that run at once write disjoint rows of them.
unsafe impl Sync for BoundBands<'_> {}

impl<'a> BoundBands<'a> {
    pub(super) fn new(bands: &'a Bands, images: Images<'a>) -> Result<BoundBands<'a>, FunctionError> {
        let chain = &bands.chain;
        let (mut tables, mut computed) = (Vec::new(), Vec::new());
        for stage in &chain.stages {
            let given = |argument: &str, value: usize| {
                let place = place_of(bands, &images, value).ok_or_else(|| FunctionError::run(stage.name(), LOST))?;
                // SAFETY: the value is an image of the caller's, which is borrowed for 'a.
                unsafe { stage.table(argument, value, place) }
            };
            let all = stage.wiring.all_tables(|edge, value| given(&edge.spec.name, value));
            tables.push(all.collect::<Result<_, _>>()?);
            for (argument, input, value) in stage.whole_images() {
                let (_, info) =
                    place_of(bands, &images, value).ok_or_else(|| FunctionError::run(stage.name(), LOST))?;
                check_whole(argument, input, &info).map_err(|error| FunctionError::run(stage.name(), error.into()))?;
            }
            computed.push(stage.with_uniforms(|edge| given(&edge.need.name, edge.value))?);
        }
        Ok(BoundBands { bands, images, tables, computed, outputs: PhantomData })
    }
}

/// Where a value lies that is the caller's, or a view of it.
fn place_of(bands: &Bands, images: &Images<'_>, value: usize) -> Option<Place> {
    let def = &bands.chain.values[value];
    match &def.view {
        Some((of, view)) => {
            let (base, info) = place_of(bands, images, *of)?;
            let (offset, info) = view.of(&info).ok()?;
            Some((NonNull::new(base.as_ptr().wrapping_offset(offset))?, info))
        }
        None => images.place(def),
    }
}

impl DynKernel for BoundBands<'_> {
    fn name(&self) -> &str {
        NAME
    }

    fn window(&self) -> Window {
        let shape = self.bands.shape;
        Window::covering([0; MAX_DIMENSIONS], shape.inner_extents(), (shape.width() as u32, self.bands.rows() as u32))
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
        for band in y.start() / step..y.end() / step {
            let rows = BandRows::new(&self.bands.chain, &self.bands.ladder, band);
            for at in Coordinates::of_planes_in(window, &[usize::MAX; MAX_DIMENSIONS]) {
                let band = Band { bound: self, bands: self.bands, rows: &rows, scratch, at };
                for (index, stage) in self.bands.chain.stages.iter().enumerate() {
                    // SAFETY: this thread's scratch has the bytes asked for; bands of disjoint windows write disjoint rows.
                    unsafe { band.run(index, stage, (thread.id, thread.threads)) }?;
                }
            }
        }
        Ok(())
    }
}

/// A band of one plane.
struct Band<'a> {
    bound: &'a BoundBands<'a>,
    bands: &'a Bands,
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
    unsafe fn run(&self, index: usize, stage: &Stage, thread: (usize, usize)) -> Result<(), RunError> {
        let (valid, shape) = (stage.wiring.valid, stage.wiring.shape);
        let is_valid = |d: usize| {
            (valid.start[d]..valid.end[d]).contains(&self.at[d].min(shape.inner_extent(d).saturating_sub(1)))
        };
        if (2..MAX_DIMENSIONS).all(is_valid) {
            for piece in self.rows.computed[index].iter().filter(|piece| piece.start < piece.end) {
                // SAFETY: the caller's.
                unsafe { self.compute(index, stage, piece, thread) }?;
            }
            for &value in stage.outputs().iter().flatten() {
                // SAFETY: the caller's.
                unsafe { self.copy_out(stage, value) }?;
            }
        }
        Ok(())
    }

    /// Computes rows of the stage that follow one another.
    ///
    /// # Safety
    /// As [`Band::run`].
    unsafe fn compute(
        &self,
        index: usize,
        stage: &Stage,
        piece: &Piece,
        (id, threads): (usize, usize),
    ) -> Result<(), RunError> {
        // SAFETY: the caller's.
        unsafe { self.copy_in_place(stage, piece) }?;
        let constants = stage.constants(self.bands.chain.constant_block());
        let mut arguments = Arguments { constants, ..Default::default() };
        for (place, value) in stage.wiring.bound_images() {
            let (base, info) = self.place(value, piece.turns)?;
            // SAFETY: the code reads the rows that lie in the caller's image or in this thread's buffer, and no other (see below).
            arguments.images.read.push(unsafe { AnyView::from_raw(base, info) });
            let wraps = stage.wiring.footprints[place].is_some_and(|rows| rows.mode == BorderMode::Wrap);
            arguments.unrolled[place] = wraps && self.is_unrolled(value, &info);
        }
        self.bound.tables[index].iter().for_each(|table| arguments.images.tables.push(*table));
        for value in stage.outputs() {
            let place = value.map(|value| self.place(value, piece.turns)).transpose()?;
            // SAFETY: the rows written are in this thread's buffers, or the band's own.
            arguments.images.write(place.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) }));
        }
        // SAFETY: the plan keeps workspaces and scratch apart from the buffers that the stage uses.
        let memory = |Range { start, end }: Range<usize>| unsafe {
            core::slice::from_raw_parts_mut(self.scratch.wrapping_add(start), end - start)
        };
        let [workspace, scratch] = self.bands.workspaces[index].clone();
        arguments.workspace = memory(workspace);
        let mut thread = ThreadInfo { id, threads, scratch: memory(scratch) };
        let valid = stage.wiring.valid.plane();
        let (mut first, mut behind) = ([0; MAX_DIMENSIONS], [1; MAX_DIMENSIONS]);
        (first[0], first[1], behind[0], behind[1]) = (valid.x0, piece.start, valid.x1, piece.end);
        let compiled = self.bound.computed[index].as_deref().unwrap_or(&*stage.compiled);
        // SAFETY: every row that the stage reads for these rows lies in an image or in a buffer (`BandRows`); its outputs' rows are
        // in this thread's buffers, or the band's own.
        unsafe { compiled.run_part(arguments, &Window::covering(first, behind, (1, 1)), &mut thread) }
    }

    /// Brings the rows that are computed in place to where they are.
    ///
    /// # Safety
    /// As [`Band::run`].
    unsafe fn copy_in_place(&self, stage: &Stage, piece: &Piece) -> Result<(), RunError> {
        let valid = stage.wiring.valid.plane();
        for (output, value) in stage.outputs().iter().enumerate() {
            let (Some(value), Some(from)) = (*value, stage.wiring.in_place_of(output)) else { continue };
            let ((from, read), (to, written)) = (self.place(from, piece.turns)?, self.place(value, piece.turns)?);
            for y in piece.start..piece.end {
                // SAFETY: the row's valid columns lie in both; a value and what it is computed from have buffers of their own.
                unsafe { copy_row((from, &read), (to, &written), y, valid.x0..valid.x1) };
            }
        }
        Ok(())
    }

    /// The first element of the value's plane and its metadata: in the caller's image, or where it would lie if the buffer, which
    /// holds the rows that the band needs, held all of them; that many heights further on where rows are counted on.
    fn place(&self, value: usize, turns: isize) -> Result<Place, RunError> {
        if let Some((of, view)) = &self.bands.chain.values[value].view {
            if place_of(self.bands, &self.bound.images, value).is_some() {
                return self.plane(value);
            }
            let (base, info) = self.place(*of, 0)?;
            let (offset, info) = view.of_plane(&info).map_err(|_| LOST)?;
            return Ok((NonNull::new(base.as_ptr().wrapping_offset(offset)).ok_or(LOST)?, info));
        }
        let Some(Buffer { offset, info }) = self.bands.buffers[value] else { return self.plane(value) };
        let on = if self.is_unrolled(value, &info) { turns * info.height() as isize } else { 0 };
        let rows = on - self.rows.extents[value].0;
        let base = self.scratch.wrapping_add(offset).wrapping_offset(rows * info.row_stride());
        Ok((NonNull::new(base).ok_or(LOST)?, info))
    }

    /// Whether the value's buffer holds rows that are counted on beyond the image.
    fn is_unrolled(&self, value: usize, info: &TensorInfo) -> bool {
        self.bands.buffers[value].is_some() && self.rows.is_unrolled(value, info.height())
    }

    /// The plane of the caller's image.
    fn plane(&self, value: usize) -> Result<Place, RunError> {
        let (base, info) = place_of(self.bands, &self.bound.images, value).ok_or(LOST)?;
        let (offset, info) = info.plane(&self.at).map_err(|_| LOST)?;
        // SAFETY: `offset` is that of an element.
        Ok((unsafe { base.offset(offset) }, info))
    }

    /// Copies the band's own rows of an output that is kept in a buffer.
    ///
    /// # Safety
    /// As [`Band::run`], and the stage that writes the value has been run.
    unsafe fn copy_out(&self, stage: &Stage, value: usize) -> Result<(), RunError> {
        if self.bands.buffers[value].is_none() || self.bands.chain.values[value].output.is_none() {
            return Ok(());
        }
        let (valid, (start, end)) = (stage.wiring.valid.plane(), self.rows.owned[value]);
        let ((from, buffer), (to, image)) = (self.place(value, 0)?, self.plane(value)?);
        for y in start.max(valid.y0)..end.min(valid.y1) {
            // SAFETY: the row's valid columns lie in the buffer and in the image.
            unsafe { copy_row((from, &buffer), (to, &image), y, valid.x0..valid.x1) };
        }
        Ok(())
    }
}

/// Copies these columns of row `y`.
///
/// # Safety
/// They lie in both planes, which are of one type and share none of them; the second may be written.
unsafe fn copy_row(from: (NonNull<u8>, &TensorInfo), to: (NonNull<u8>, &TensorInfo), y: usize, columns: Range<usize>) {
    let place = |(base, info): (NonNull<u8>, &TensorInfo)| {
        let offset = y as isize * info.row_stride() + columns.start as isize * info.inner_stride(0);
        (base.as_ptr().wrapping_offset(offset), info.inner_stride(0))
    };
    let ((first, apart), written) = (place(from), place(to));
    // SAFETY: the caller's.
    unsafe { copy_elements((first.cast_const(), apart), written, columns.len(), to.1.pixel_size()) };
}
