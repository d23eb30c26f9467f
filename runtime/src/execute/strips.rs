//! Runs strip by strip: columns as wide as a block, all rows of all planes, then the next ones.
//!
//! ```text
//!   a tensor that is read whole        its strip, packed           the output
//!   ┌──────┬────┬─────────┐            ┌────┐                      ┌──────┬────┬─────────┐
//!   │      │▒▒▒▒│         │  ──────▶   │▒▒▒▒│  read by each   ▶    │      │ 1  │         │
//!   │      │▒▒▒▒│         │            │▒▒▒▒│  block               ├──────┼────┼─────────┤
//!   └──────┴────┴─────────┘            └────┘                      │      │ 2  │         │
//! ```
//!
//! Elements in the columns of a strip look at no other columns of such a tensor ([`Body::strips`](crate::code::Body::strips)),
//! whichever of its rows they read. In the tensor these pieces of rows lie apart, often by a power of two, so that they share few
//! places of a cache; in the copy they lie side by side. Each block reads the whole strip: the copy pays where several blocks stand
//! one below the other. (Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008.)

use core::{iter, ops::Range};

use super::{Form, run_plane, whole::add_whole_views};
use crate::{
    configure::KernelPlan,
    info::MAX_DIMENSIONS,
    job::Job,
    list::List,
    packing::{ALIGNMENT, Packed, StripLayout, has_blocks, is_packed, packed_bytes, packs_planes, strips},
    planes::Coordinates,
    region::Rect,
    view::AnyView,
    window::Window,
};

/// Bytes of other images that are read again for each strip.
const NEAR: usize = 256 << 10;

/// The least blocks one below the other that are computed of a strip before the next one is.
const FEW: usize = 8;

/// The copy of an image that no run changes.
#[cfg(feature = "std")]
fn constant(plan: &KernelPlan, image: usize) -> Option<Packed> {
    plan.constants.iter().find(|constant| constant.image() == image).map(crate::packing::Constant::packed)
}

/// Without a heap there is none.
#[cfg(not(feature = "std"))]
fn constant(_: &KernelPlan, _: usize) -> Option<Packed> {
    None
}

fn has_constants(plan: &KernelPlan) -> bool {
    (0..u32::BITS as usize).any(|image| is_packed(plan.body, image) && constant(plan, image).is_some())
}

/// A run strip by strip.
pub(super) struct StripRun<'a> {
    plan: &'a KernelPlan,
    job: &'a Job<'a>,
    window: &'a Window,
    region: Rect,
    /// Where strips are packed; nothing where those of constants are all that there are.
    scratch: &'a mut [u8],
}

impl<'a> StripRun<'a> {
    /// That of a window and its region in each plane; `None` where packing does not pay, or there is no scratch for it.
    #[inline]
    pub fn new(
        plan: &'a KernelPlan,
        job: &'a Job<'a>,
        (window, region): (&'a Window, Rect),
        scratch: &'a mut [u8],
    ) -> Option<StripRun<'a>> {
        // Most bodies read no strips.
        if plan.packing.strip == 0 {
            return None;
        }
        let planes = if packs_planes(plan.spec(), plan.body) {
            1
        } else {
            Coordinates::of_planes_in(window, &plan.valid.end).count()
        };
        let packs = plan.packing.bytes > 0
            && scratch.len() >= plan.packing.bytes
            && has_blocks(plan.body, [region.height(), planes]);
        // The strips of constants begin with the first column.
        let has_constants = has_constants(plan) && (region.x0, region.x1) == (0, plan.shape.width());
        // Elements behind the last column of an image would read that column, which belongs to another strip.
        let has_columns =
            |(image, view): (usize, &AnyView<'_>)| !is_packed(plan.body, image) || region.x1 <= view.info().width();
        // The last strip overlaps the one before it.
        let is_exact = job.in_place.contains(&true);
        let has_strip = region.width() >= plan.packing.strip && job.whole(plan).all(has_columns);
        let scratch = if packs { scratch } else { &mut [] };
        let does = (packs || has_constants) && has_strip && !is_exact;
        does.then_some(StripRun { plan, job, window, region, scratch })
    }

    /// Computes the window.
    ///
    /// # Safety
    /// As [`run_window`](super::run_window).
    pub unsafe fn run(mut self) {
        let planes = Coordinates::of_planes_in(self.window, &self.plan.valid.end);
        let Rect { x0, x1, .. } = self.region;
        let together = if self.scratch.is_empty() { x1 - x0 } else { self.plan.packing.columns };
        for start in (x0..x1).step_by(together) {
            // A last group that is too narrow for a strip begins before the end of the one before it.
            let end = x1.min(start + together);
            let columns = start.min(end - self.step())..end;
            // SAFETY: the caller's; what is computed twice isn't an input.
            if packs_planes(self.plan.spec(), self.plan.body) {
                planes.clone().for_each(|plane| unsafe { self.compute(columns.clone(), iter::once(plane)) });
            } else {
                unsafe { self.compute(columns, planes.clone()) };
            }
        }
    }

    /// The columns of a strip.
    fn step(&self) -> usize {
        self.plan.packing.strip
    }

    /// Packs some columns of the first of some planes, and computes those of all of them.
    ///
    /// # Safety
    /// As [`run_window`](super::run_window); what is packed is the same for all of the planes.
    unsafe fn compute(&mut self, columns: Range<usize>, planes: impl Iterator<Item = [usize; MAX_DIMENSIONS]> + Clone) {
        let Some(first) = planes.clone().next() else { return };
        let packed = self.pack(&first, &columns);
        let Rect { y0, y1, .. } = self.region;
        let ([near_rows, near_planes], group) = (self.near(), self.plan.body.rows as usize);
        let mut planes = planes;
        while planes.clone().next().is_some() {
            for top in (y0..y1).step_by(near_rows) {
                // Rows that are left begin above the end of those before them, where they are fewer than a block's.
                let rows = top.min(y1.saturating_sub(group).max(y0))..y1.min(top + near_rows);
                // SAFETY: the caller's.
                unsafe { self.compute_near(&packed, &columns, &rows, planes.clone().take(near_planes)) };
            }
            planes.by_ref().take(near_planes).for_each(drop);
        }
    }

    /// How many rows of how many planes read as much of the images that are not packed as the second cache holds beside those that are.
    fn near(&self) -> [usize; 2] {
        let (shape, step) = (&self.plan.shape, self.plan.body.rows as usize);
        let others = self.job.whole(self.plan).filter(|(image, _)| !is_packed(self.plan.body, *image));
        let bytes: usize = others
            .map(|(_, view)| view.info().shape().inner_extents().iter().product::<usize>() * view.info().pixel_size())
            .sum();
        let rows = NEAR / (bytes / (shape.height() * shape.planes()).max(1)).max(1);
        [(rows / step).max(FEW) * step, (rows / shape.height().max(1)).max(1)]
    }

    /// Computes rows of some planes strip by strip.
    ///
    /// # Safety
    /// As [`StripRun::compute`].
    unsafe fn compute_near(
        &self,
        packed: &List<Option<Packed>>,
        columns: &Range<usize>,
        rows: &Range<usize>,
        planes: impl Iterator<Item = [usize; MAX_DIMENSIONS]> + Clone,
    ) {
        for (number, start) in strips(columns, self.step()).enumerate() {
            let part = Rect::new(start, rows.start, start + self.step(), rows.end);
            for plane in planes.clone() {
                let mut views = List::new();
                add_whole_views(&mut views, self.plan, self.job, &plane);
                for (view, packed) in views.iter_mut().zip(packed.iter()) {
                    if let Some(packed) = packed {
                        *view = packed.strip(view, (number, start));
                    }
                }
                // SAFETY: the caller's; for these columns the body reads of the packed images what has been packed.
                unsafe { run_plane(self.plan, self.job, part, plane, Form::Strip(&views)) };
            }
        }
    }

    /// Packs some columns of a plane's images, or finds them packed; those that are not are `None`.
    fn pack(&mut self, plane: &[usize; MAX_DIMENSIONS], columns: &Range<usize>) -> List<Option<Packed>> {
        let (mut views, mut packed, mut at) = (List::new(), List::new(), 0);
        let (plan, step) = (self.plan, self.step());
        add_whole_views(&mut views, self.plan, self.job, plane);
        for (view, (image, from)) in views.iter().zip(self.job.whole(self.plan)) {
            if let Some(constant) = constant(plan, image) {
                packed.push(Some(constant));
                continue;
            }
            let layout = StripLayout { pixel: from.info().pixel_size(), step, behind: 0 };
            let bytes = packed_bytes(view, columns.len(), layout);
            // `Packing::of` has counted them.
            let free = self.scratch.get_mut(at..).and_then(|free| free.get_mut(..bytes));
            packed.push(free.filter(|_| is_packed(plan.body, image)).map(|to| {
                at = (at + bytes).next_multiple_of(ALIGNMENT);
                // SAFETY: the columns lie in the image (`StripRun::new`), whose elements have that many bytes.
                unsafe { Packed::new(view, columns, layout, to) }
            }));
        }
        packed
    }
}
