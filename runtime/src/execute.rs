//! Runs a body over a sub-window: the driver between a configured kernel and rows in memory.
//!
//! ```text
//!   x0   a                            b   x1
//!   ┌────┬────────────────────────────┬────┐ y0     a..b: every column that the body reads lies in the images; rows
//!   │tile│  the images' own rows      │tile│        outside are other rows (replicate, reflect, wrap); the tiles
//!   │    │                            │    │        are whole vectors wide, and several groups tall. Groups of
//!   └────┴────────────────────────────┴────┘ y1     `rows` rows: the last direct one is moved up over the one before,
//!                                                   unless an output is an input too
//! ```
//!
//! Edges narrower than a vector share a tile, side by side, and nothing is staged where nothing outside is read. The direct
//! columns then begin wherever they do, and their second step where stores are aligned ([`Rows::head`](crate::code::Rows)).
//!
//! Rows may lie in any order, one may stand for all. Where elements of a row lie apart, or backwards, all columns are computed on
//! tiles, into which they are gathered and out of which they are scattered.
//!
//! Where nothing tells elements apart and rows follow each other in memory, they are one row, and need no driver (`dense`).
//!
//! No store falls outside the sub-window. An element is stored again only where no output is an input: in the last
//! vector of a row, in the last group of rows, and beside the tiles at the edges, which store whole vectors. What is
//! narrower than a vector or lower than a group is copied from the tile instead (see `stage`).

use core::{mem::MaybeUninit, ops::Range};

use crate::{
    code::WholeView,
    configure::KernelPlan,
    float_environment::DefaultFloats,
    infer::images,
    info::{MAX_DIMENSIONS, TensorInfo},
    job::Job,
    limits::TILE_BYTES,
    list::List,
    planes::Coordinates,
    region::{Rect, in_bounds},
    spec::NeighbourhoodSpec,
    stage::{Source, Target, Tile, input_rows},
    window::Window,
};

/// Rows that are staged together, in whole groups: a tile's set-up is shared, and they are still in the cache.
const TALL: usize = 32;

/// Row pointers for which little memory is enough.
const FEW_ROWS: usize = 48;

/// Computes the elements of `window` that are valid.
///
/// # Safety
/// `job` was bound to `plan`, `window` is a sub-window of the plan's, and nothing else touches its elements of the outputs, nor
/// writes the inputs, until this returns.
pub(crate) unsafe fn run_window(plan: &KernelPlan, job: &Job<'_>, window: &Window, scratch: &mut [u8]) {
    let (x, y) = (window.dimension(0), window.dimension(1));
    let region = Rect::new(x.start(), y.start(), x.end(), y.end()).intersect(&plan.valid.plane());
    if region.is_empty() {
        return;
    }
    let _floats = DefaultFloats::set_for(plan.spec());
    if let Some(strips) = StripRun::new(plan, job, (window, region), scratch) {
        // SAFETY: the caller's.
        return unsafe { strips.run() };
    }
    let joined = rows_join(plan, job, region);
    for plane in Coordinates::of_planes_in(window, &plan.valid.end) {
        let mut rows = if joined { JoinedRows::new(plan, job, region, &plane) } else { None };
        // SAFETY: the caller's; the planes of a window are disjoint.
        match &mut rows {
            Some(rows) => unsafe { rows.run() },
            None => unsafe { run_plane(plan, job, region, plane, if joined { Form::Joined } else { Form::Rows }) },
        }
    }
}

/// How the rows of a plane are computed.
#[derive(Clone, Copy)]
enum Form<'v> {
    /// As they lie.
    Rows,
    /// As one row.
    Joined,
    /// A strip of them, of which these are the images that are read anywhere.
    Strip(&'v List<WholeView>),
}

/// Computes one plane. By itself: what is the same for all planes would be looked up before the first one for as many arguments as
/// there may be, cold memory of which most runs have no use.
///
/// # Safety
/// As [`run_window`]; `region` is that of its window, whose rows may be joined.
#[inline(never)]
unsafe fn run_plane(plan: &KernelPlan, job: &Job<'_>, region: Rect, plane: [usize; MAX_DIMENSIONS], form: Form<'_>) {
    let mut driver = Driver::new(plan, job, region);
    driver.attach(plane, form);
    // SAFETY: the caller's.
    unsafe { if driver.needs_no_tile() { driver.run_without_tile() } else { driver.run_with_tile() } }
}

/// The row pointers of one call, and the tile that some of them point into.
struct Scratch<'m> {
    pointers: RowPointers<'m>,
    /// The first byte of a [`Tile`], which is touched through this pointer only; null where none is needed.
    tile: *mut u8,
    /// Bytes of the tile that have been written.
    written: usize,
    /// Where images lie in the tile.
    layout: Layout,
}

impl<'m> Scratch<'m> {
    fn new(pointers: RowPointers<'m>, tile: *mut u8) -> Scratch<'m> {
        Scratch { pointers, tile, written: 0, layout: Layout::NONE }
    }

    /// Makes the tile's first `bytes` bytes readable: a body may load what it doesn't need.
    ///
    /// # Safety
    /// The tile holds them.
    unsafe fn clear(&mut self, bytes: usize) {
        debug_assert!(bytes <= TILE_BYTES, "a tile of {bytes} bytes");
        // SAFETY: the caller's.
        unsafe { self.tile.add(self.written).write_bytes(0, bytes.saturating_sub(self.written)) };
        self.written = self.written.max(bytes);
    }
}

/// An image that a body reads.
#[derive(Clone, Copy)]
struct Image {
    /// Input elements for one output element, (x, y).
    stride: (u32, u32),
    reads: NeighbourhoodSpec,
    /// Rows read for one call.
    rows: usize,
    source: Source,
}

/// One plane's part of a run.
struct Driver<'a> {
    plan: &'a KernelPlan,
    job: &'a Job<'a>,
    region: Rect,
    /// Those of which rows are read.
    images: List<Image>,
    /// Those read anywhere.
    views: List<WholeView>,
    /// [`Rows::outer`](crate::code::Rows).
    outer: [i32; MAX_DIMENSIONS - 2],
    targets: List<Target>,
    /// The columns of the region that the body computes from the images' own rows; none, or at least a vector.
    direct: (usize, usize),
    /// The columns of which the body reads nothing outside the images.
    inside: (usize, usize),
    /// The rows of the output whose neighbourhoods lie between the images' first and last rows.
    inner: (usize, usize),
    /// Whether each element must be computed once, since an output is an input too.
    exact: bool,
    /// Whether elements of a row lie side by side in all images: else a tile has them so.
    has_contiguous_rows: bool,
    /// The columns of a slot, where edges are computed side by side.
    slot: Option<usize>,
    /// Rows after which the columns beside them are computed.
    tall: usize,
    /// [`Rows::head`](crate::code::Rows) of the direct columns.
    head: usize,
}

impl<'a> Driver<'a> {
    fn new(plan: &'a KernelPlan, job: &'a Job<'a>, region: Rect) -> Driver<'a> {
        Driver {
            plan,
            job,
            region,
            images: List::new(),
            views: List::new(),
            outer: [0; MAX_DIMENSIONS - 2],
            targets: List::new(),
            direct: (region.x0, region.x0),
            inside: (region.x0, region.x1),
            inner: (region.y0, region.y1),
            exact: job.in_place.contains(&true),
            has_contiguous_rows: true,
            slot: None,
            tall: TALL,
            head: 0,
        }
    }

    /// Finds the images' parts of `plane`, and which columns and rows lie inside them. (In place: a driver is some kilobytes.)
    fn attach(&mut self, plane: [usize; MAX_DIMENSIONS], form: Form<'_>) {
        let (plan, job) = (self.plan, self.job);
        // No extent is beyond `MAX_EXTENT`.
        self.outer = core::array::from_fn(|outer| plane[2 + outer] as i32);
        match form {
            Form::Strip(views) => self.views = *views,
            Form::Rows | Form::Joined => add_whole_views(&mut self.views, plan, job, &plane),
        }
        let read = images(plan.spec()).zip(plan.body.reads).zip(job.read.iter());
        for (index, (((_, spec), reads), view)) in read.enumerate() {
            if plan.is_whole(index) {
                continue;
            }
            let (info, stride) = (view.info(), spec.stride());
            let (mode, constant) = Source::outside(spec, plan.borders.of(index));
            let source = Source {
                base: view.as_ptr().wrapping_offset(info.plane_offset(&plane)),
                stride: info.row_stride(),
                apart: apart(info),
                width: info.width(),
                height: info.height(),
                pixel: info.pixel_size(),
                mode,
                constant,
                unrolled: job.unrolled[index],
            };
            self.images.push(Image { stride, reads: *reads, rows: input_rows(reads, stride, plan.body.rows), source });
            let (start, end) = in_bounds(plan.shape.width(), source.width, stride.0, reads.left, reads.right);
            self.inside = (self.inside.0.max(start), self.inside.1.min(end));
            let (start, end) = in_bounds(plan.shape.height(), source.height, stride.1, reads.top, reads.bottom);
            self.inner = (self.inner.0.max(start), self.inner.1.min(end));
        }
        for place in job.written.iter() {
            self.targets.push(place.map_or(Target::NONE, |view| Target {
                base: view.base().as_ptr().wrapping_offset(view.info().plane_offset(&plane)),
                stride: view.info().row_stride(),
                apart: apart(view.info()),
                pixel: view.info().pixel_size(),
            }));
        }
        self.has_contiguous_rows = self.images.iter().all(|image| image.source.has_contiguous_rows())
            && self.targets.iter().all(Target::has_contiguous_rows);
        if matches!(form, Form::Joined) {
            self.lay_in_one_row();
        }
        self.divide_columns();
    }

    /// Makes one long row of rows that join. So narrow images cost no more than wide ones.
    fn lay_in_one_row(&mut self) {
        let length = self.region.width() * self.region.height();
        for image in self.images.iter_mut() {
            let source = &mut image.source;
            source.base = source.row_at(self.region.y0 as isize);
            (source.width, source.height) = (length, 1);
        }
        for target in self.targets.iter_mut() {
            target.base = target.at(0, self.region.y0);
        }
        self.region = Rect::new(0, 0, length, 1);
        (self.inside, self.inner) = ((0, length), (0, 1));
    }

    /// Whether all elements are computed on the images' own rows, of which a call takes few.
    fn needs_no_tile(&self) -> bool {
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
    unsafe fn run_without_tile(&self) {
        let mut memory = PointerMemory::<FEW_ROWS>::uninit();
        let mut scratch = Scratch::new(RowPointers::over(&mut memory), core::ptr::null_mut());
        let (a, b) = self.direct;
        let Rect { x0, y0, y1, .. } = self.region;
        let before = (a - x0).next_multiple_of(self.lanes());
        let tall = if before > 0 { TALL.next_multiple_of(self.group()) } else { y1 - y0 };
        for top in (y0..y1).step_by(tall) {
            let bottom = y1.min(top + tall);
            // SAFETY: the caller's: all rows and columns lie in the images, and what is stored twice isn't an input.
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
    unsafe fn run_with_tile(&self) {
        let mut memory = PointerMemory::<MOST_ROWS>::uninit();
        let mut tile = Tile([MaybeUninit::uninit(); TILE_BYTES]);
        let mut scratch = Scratch::new(RowPointers::over(&mut memory), (&raw mut tile.0).cast());
        // SAFETY: the caller's.
        unsafe { self.run(&mut scratch) }
    }

    /// # Safety
    /// As [`run_window`]; the scratch has a tile, or none is needed.
    unsafe fn run(&self, scratch: &mut Scratch) {
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
    unsafe fn stage_beside(&self, scratch: &mut Scratch, rows: Range<usize>) {
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
    unsafe fn stage_vectors_beside(&self, scratch: &mut Scratch, rows: Range<usize>) {
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
    unsafe fn direct_rows(&self, scratch: &mut Scratch, part: Rect) {
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
    fn lanes(&self) -> usize {
        self.plan.body.lanes as usize
    }

    /// Rows of the output that one call computes.
    fn group(&self) -> usize {
        self.plan.body.rows as usize
    }
}

/// Bytes from element to element of a row; those of an element where there is only one.
fn apart(info: &TensorInfo) -> isize {
    if info.layout().has_contiguous_rows() { info.pixel_size() as isize } else { info.inner_stride(0) }
}

impl Image {
    /// The first input row that the group of output rows at `y` reads.
    fn first_row(&self, y: usize) -> isize {
        (y * self.stride.1 as usize) as isize + self.reads.top as isize
    }
}

mod alignment;
mod columns;
mod dense;
mod direct;
mod pointers;
mod side_by_side;
mod staged;
mod strips;
#[cfg(test)]
mod tests;
mod whole;
mod whole_view;

use dense::{JoinedRows, rows_join};
use pointers::{MOST_ROWS, PointerMemory, RowPointers};
use staged::Layout;
use strips::StripRun;
use whole::add_whole_views;
#[cfg(feature = "std")]
pub(crate) use whole_view::whole_view;
