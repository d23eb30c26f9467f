//! The driver of one plane: which rows and columns are computed on the images' own rows, and which on tiles.

use core::{mem::MaybeUninit, ops::Range};

use super::{
    pointers::{MOST_ROWS, PointerMemory, RowPointers},
    staged::Layout,
};
use crate::{
    code::Reads,
    configure::Plan,
    job::Job,
    limits::MAX_DIMENSIONS,
    list::List,
    region::{Rect, in_bounds},
    stage::{Source, TILE_BYTES, Target, Tile, input_rows},
};

/// Rows that are staged together, in whole groups: a tile's set-up is shared, and they are still in the cache.
pub(super) const TALL: usize = 32;

/// Row pointers for which little memory is enough.
const FEW_ROWS: usize = 48;

/// The row pointers of one call, and the tile that some of them point into.
pub(super) struct Scratch<'m> {
    pub(super) pointers: RowPointers<'m>,
    /// The first byte of a [`Tile`], which is touched through this pointer only; null where none is needed.
    pub(super) tile: *mut u8,
    /// Bytes of the tile that have been written.
    pub(super) written: usize,
    /// Where images lie in the tile.
    pub(super) layout: Layout,
}

impl<'m> Scratch<'m> {
    pub(super) fn new(pointers: RowPointers<'m>, tile: *mut u8) -> Scratch<'m> {
        Scratch { pointers, tile, written: 0, layout: Layout::NONE }
    }

    /// Makes the tile's first `bytes` bytes readable: a body may load what it doesn't need.
    ///
    /// # Safety
    /// The tile holds them.
    pub(super) unsafe fn clear(&mut self, bytes: usize) {
        debug_assert!(bytes <= TILE_BYTES, "a tile of {bytes} bytes");
        // SAFETY: the caller's.
        unsafe { self.tile.add(self.written).write_bytes(0, bytes.saturating_sub(self.written)) };
        self.written = self.written.max(bytes);
    }
}

/// An image that a body reads.
#[derive(Clone, Copy)]
pub(super) struct Image {
    /// Input elements for one output element, (x, y).
    pub(super) stride: (u32, u32),
    pub(super) reads: Reads,
    /// Rows read for one call.
    pub(super) rows: usize,
    pub(super) source: Source,
}

/// One plane's part of a run.
pub(super) struct Driver<'a> {
    pub(super) plan: &'a Plan,
    pub(super) job: &'a Job<'a, 'a>,
    pub(super) region: Rect,
    pub(super) images: List<Image>,
    pub(super) targets: List<Target>,
    /// The columns of the region that the body computes from the images' own rows; none, or at least a vector.
    pub(super) direct: (usize, usize),
    /// The columns of which the body reads nothing outside the images.
    pub(super) inside: (usize, usize),
    /// The rows of the output whose neighbourhoods lie between the images' first and last rows.
    pub(super) inner: (usize, usize),
    /// Whether each element must be computed once, since an output is an input too.
    pub(super) exact: bool,
    /// The columns of a slot, where edges are computed side by side.
    pub(super) slot: Option<usize>,
    /// Rows after which the columns beside them are computed.
    pub(super) tall: usize,
    /// [`Rows::head`](crate::code::Rows) of the direct columns.
    pub(super) head: usize,
}

impl<'a> Driver<'a> {
    pub(super) fn new(plan: &'a Plan, job: &'a Job<'a, 'a>, region: Rect) -> Driver<'a> {
        Driver {
            plan,
            job,
            region,
            images: List::new(),
            targets: List::new(),
            direct: (region.x0, region.x0),
            inside: (region.x0, region.x1),
            inner: (region.y0, region.y1),
            exact: job.in_place.contains(&true),
            slot: None,
            tall: TALL,
            head: 0,
        }
    }

    /// Finds the images' parts of `plane`, and which columns and rows lie inside them. (In place: a driver is some kilobytes.)
    pub(super) fn attach(&mut self, plane: [usize; MAX_DIMENSIONS], joined: bool) {
        let (plan, job) = (self.plan, self.job);
        let read = plan.spec().images().zip(plan.body.reads).zip(job.read.views.iter());
        for (index, (((_, spec), reads), view)) in read.enumerate() {
            let info = view.info();
            let (mode, constant) = Source::outside(spec, plan.borders.of(index));
            let source = Source {
                base: view.as_ptr().wrapping_add(info.plane_offset(&plane)),
                stride: info.stride(1),
                width: info.width(),
                height: info.height(),
                pixel: info.pixel_size(),
                mode,
                constant,
                unrolled: job.unrolled[index],
            };
            self.images.push(Image {
                stride: spec.stride,
                reads: *reads,
                rows: input_rows(reads, spec.stride, plan.body.rows),
                source,
            });
            let (start, end) = in_bounds(plan.shape.width(), source.width, spec.stride.0, reads.left, reads.right);
            self.inside = (self.inside.0.max(start), self.inside.1.min(end));
            let (start, end) = in_bounds(plan.shape.height(), source.height, spec.stride.1, reads.top, reads.bottom);
            self.inner = (self.inner.0.max(start), self.inner.1.min(end));
        }
        for place in job.written.places.iter() {
            self.targets.push(place.as_ref().map_or(Target::NONE, |(base, info)| Target {
                base: base.as_ptr().wrapping_add(info.plane_offset(&plane)),
                stride: info.stride(1),
                pixel: info.pixel_size(),
            }));
        }
        if joined {
            self.lay_in_one_row();
        }
        self.divide_columns();
    }

    /// Whether all elements are computed on the images' own rows, of which a call takes few.
    pub(super) fn needs_no_tile(&self) -> bool {
        let Rect { x0, x1, y0, y1 } = self.region;
        let columns = if self.exact { self.direct } else { self.inside };
        let groups = if self.exact { (y1 - y0).is_multiple_of(self.group()) } else { y1 - y0 >= self.group() };
        let rows = self.images.iter().map(|image| image.rows).sum::<usize>() + self.targets.len() * self.group();
        columns == (x0, x1) && self.direct.0 < self.direct.1 && groups && self.inner == (y0, y1) && rows <= FEW_ROWS
    }

    /// Computes the region without the memory of a tile: to step over that, page by page, takes as long as a thousand elements.
    ///
    /// # Safety
    /// As [`run_window`]; no tile is needed.
    pub(super) unsafe fn run_without_tile(&self) {
        let mut memory = PointerMemory::<FEW_ROWS>::uninit();
        let mut scratch = Scratch::new(RowPointers::over(&mut memory), core::ptr::null_mut());
        let (a, b) = self.direct;
        let Rect { x0, y0, y1, .. } = self.region;
        let before = (a - x0).next_multiple_of(self.lanes());
        let tall = if before > 0 { TALL.next_multiple_of(self.group()) } else { y1 - y0 };
        for top in (y0..y1).step_by(tall) {
            let bottom = y1.min(top + tall);
            // SAFETY: the caller's: all rows and columns lie in the images, and what is stored twice is no input.
            unsafe {
                self.direct_rows(&mut scratch, Rect::new(x0, top, x0 + before, bottom));
                self.direct_rows(&mut scratch, Rect::new(a, top, b, bottom));
            }
        }
    }

    /// Computes the region.
    ///
    /// # Safety
    /// As [`run_window`].
    #[inline(never)]
    pub(super) unsafe fn run_with_tile(&self) {
        let mut memory = PointerMemory::<MOST_ROWS>::uninit();
        let mut tile = Tile([MaybeUninit::uninit(); TILE_BYTES]);
        let mut scratch = Scratch::new(RowPointers::over(&mut memory), (&raw mut tile.0).cast());
        // SAFETY: the caller's.
        unsafe { self.run(&mut scratch) }
    }

    /// # Safety
    /// As [`run_window`]; the scratch has a tile, or none is needed.
    pub(super) unsafe fn run(&self, scratch: &mut Scratch) {
        let (a, b) = self.direct;
        let Rect { x0, x1, y0, y1 } = self.region;
        if a == b {
            // SAFETY: the caller's.
            return unsafe { self.stage(scratch, self.region) };
        }
        // The rows whose columns beside `a..b` are still to be computed.
        let mut beside = y0..y0;
        let mut y = y0;
        while y < y1 {
            let rows = self.groups(y, y1.min(beside.start + self.tall)) * self.group();
            let behind = (y + rows).min(y1);
            let up = if self.exact { 0 } else { (y + rows - behind).min(y - y0) };
            let direct = behind + up - y == rows && self.rows_lie_in_memory(y - up);
            // SAFETY: the caller's; the parts lie in the region.
            unsafe {
                if direct {
                    self.direct(scratch, Rect::new(a, y - up, b, behind));
                    beside.end = behind;
                } else {
                    self.stage_beside(scratch, beside);
                    self.stage(scratch, Rect::new(x0, y, x1, behind));
                    beside = behind..behind;
                }
                if beside.len() >= self.tall {
                    self.stage_beside(scratch, beside);
                    beside = behind..behind;
                }
            }
            y = behind;
        }
        // SAFETY: as above.
        unsafe { self.stage_beside(scratch, beside) };
    }

    /// Computes the columns beside the direct ones of these rows.
    ///
    /// # Safety
    /// As [`run_window`]; the rows lie in the region.
    pub(super) unsafe fn stage_beside(&self, scratch: &mut Scratch, rows: Range<usize>) {
        let inner = rows.start.max(self.inner.0)..rows.end.min(self.inner.1);
        // SAFETY: the caller's; slots are for rows that read rows of the images.
        unsafe {
            match self.slot {
                Some(slot) if inner.len() >= self.group() => {
                    if rows.start < inner.start {
                        self.stage_vectors_beside(scratch, rows.start..inner.start);
                    }
                    self.stage_side_by_side(scratch, inner.clone(), slot);
                    if inner.end < rows.end {
                        self.stage_vectors_beside(scratch, inner.end..rows.end);
                    }
                }
                _ => self.stage_vectors_beside(scratch, rows),
            }
        }
    }

    /// The same on a tile for each side: whole vectors, where elements may be stored again.
    ///
    /// # Safety
    /// As [`Driver::stage_beside`].
    pub(super) unsafe fn stage_vectors_beside(&self, scratch: &mut Scratch, rows: Range<usize>) {
        let (a, b) = self.direct;
        let Rect { x0, x1, .. } = self.region;
        let lanes = self.lanes();
        // There are direct columns, a vector of them at least: whole vectors beside them lie in the region.
        let whole = |columns: usize| if self.exact { columns } else { columns.next_multiple_of(lanes) };
        let (left, right) = (x0 + whole(a - x0), x1 - whole(x1 - b));
        // SAFETY: the caller's.
        unsafe {
            if self.inside.0 == x0 && !self.exact {
                self.direct_rows(scratch, Rect::new(x0, rows.start, left, rows.end));
            } else {
                self.stage(scratch, Rect::new(x0, rows.start, left, rows.end));
            }
            self.stage(scratch, Rect::new(right, rows.start, x1, rows.end));
        }
    }

    /// Computes `part` on the images' own rows; its last group is moved up over the one before.
    ///
    /// # Safety
    /// As [`Driver::direct`] for each group of rows, of which there is one at least; or `part` is empty.
    pub(super) unsafe fn direct_rows(&self, scratch: &mut Scratch, part: Rect) {
        let mut y = if part.is_empty() { part.y1 } else { part.y0 };
        while y < part.y1 {
            let from = y.min(part.y1.saturating_sub(self.group()));
            let behind = from + self.groups(from, part.y1) * self.group();
            // SAFETY: the caller's.
            unsafe { self.direct(scratch, Rect { y0: from, y1: behind, ..part }) };
            y = behind;
        }
    }

    /// Elements along the row that a step computes.
    pub(super) fn lanes(&self) -> usize {
        self.plan.body.lanes as usize
    }

    /// Rows of the output that one call computes.
    pub(super) fn group(&self) -> usize {
        self.plan.body.rows as usize
    }
}

impl Image {
    /// The first input row that the group of output rows at `y` reads.
    pub(super) fn first_row(&self, y: usize) -> isize {
        (y * self.stride.1 as usize) as isize + self.reads.top as isize
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
