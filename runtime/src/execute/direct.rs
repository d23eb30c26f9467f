//! Runs a body on the images' own rows: where its row pointers lead, and how they move from group to group.

use super::{Driver, Scratch};
use crate::{code::Rows, region::Rect};

impl Driver<'_> {
    /// Whether each row that the group at `y` reads is a row of the images, not a constant.
    pub(super) fn rows_lie_in_memory(&self, y: usize) -> bool {
        self.is_inner(y)
            || self.images.iter().all(|image| {
                let first = image.first_row(y);
                let last = first + image.rows as isize - 1;
                image.source.row(first).is_some() && image.source.row(last).is_some()
            })
    }

    /// Whether the rows that the group at `y` reads follow each other in the images.
    fn is_inner(&self, y: usize) -> bool {
        self.inner.0 <= y && y + self.group() <= self.inner.1
    }

    /// How many groups from row `y` on are computed at once, of those above row `below`: as many as read rows that follow each
    /// other, or one.
    pub(super) fn groups(&self, y: usize, below: usize) -> usize {
        let follow = if self.is_inner(y) { self.inner.1.min(below).saturating_sub(y) } else { 0 };
        (follow / self.group()).max(1)
    }

    /// Runs the body on the images' own rows.
    ///
    /// # Safety
    /// As [`run_window`](super::run_window); elements of rows lie side by side, `part` lies inside, has the rows of one group, whose reads lie in memory, or of several
    /// ([`Driver::groups`]), and at least a vector of columns, whole vectors where the run is exact.
    pub(super) unsafe fn direct(&self, scratch: &mut Scratch, part: Rect) {
        scratch.pointers.clear();
        self.point_into_inputs(scratch, part.x0, part.y0);
        self.point_into_outputs(scratch, part.x0, part.y0);
        // SAFETY: `Reads` of the columns lie inside the images (`direct_columns`), the outputs' in the region, which is this call's alone.
        unsafe { self.call_down(scratch, part, self.head) };
    }

    /// Points at the inputs' rows of the group at row `y`, at column `x`.
    fn point_into_inputs(&self, scratch: &mut Scratch, x: usize, y: usize) {
        for image in self.images.iter() {
            let (source, top) = (&image.source, image.first_row(y));
            // The element of column `x` lies in the row, except where only later columns are read.
            let offset = x * image.stride.0 as usize * source.pixel;
            let at = |row: isize| source.row_at(row).wrapping_add(offset);
            let step = (self.group() * image.stride.1 as usize) as isize * source.stride;
            let follow = source.unrolled || top >= 0 && top as usize + image.rows <= source.height;
            let mut place = at(top);
            for row in (top..).take(image.rows) {
                scratch.pointers.input(if follow { place } else { at(source.row(row).unwrap_or(0)) }, step);
                place = place.wrapping_offset(source.stride);
            }
        }
    }

    /// Points at the outputs' rows of the group at row `y`, at column `x`.
    pub(super) fn point_into_outputs(&self, scratch: &mut Scratch, x: usize, y: usize) {
        for target in self.targets.iter() {
            // An output left out has no bytes from row to row: its rows stay null.
            let mut place = target.at(x, y);
            for _ in 0..self.group() {
                scratch.pointers.output(place, self.group() as isize * target.stride);
                place = place.wrapping_offset(target.stride);
            }
        }
    }

    /// Calls the body on each whole group of rows of `part`, from where the row pointers lead downwards.
    ///
    /// # Safety
    /// The pointers keep the contract of [`Rows`] for the first group, and where they move to for those below.
    pub(super) unsafe fn call_down(&self, scratch: &mut Scratch, part: Rect, head: usize) {
        let (group, mut y) = (self.group(), part.y0);
        let (tables, words, views) = (self.job.pointers.as_slice(), self.plan.words(), self.views.as_slice());
        let outer = self.outer;
        let groups = if self.plan.body.carries_rows { (part.height() / group).max(1) } else { 1 };
        loop {
            let (inputs, outputs, down) = scratch.pointers.rows();
            let (x, width) = (part.x0 as i32, part.width());
            // SAFETY: the caller's, and the body's tier runs on this processor: `configure` chose it.
            unsafe {
                let y = y as i32;
                (self.plan.body.run)(&Rows {
                    inputs,
                    outputs,
                    views,
                    tables,
                    words,
                    x,
                    y,
                    outer,
                    width,
                    head,
                    groups,
                    down,
                })
            };
            y += groups * group;
            if y + group > part.y1 {
                return;
            }
            scratch.pointers.move_down();
        }
    }
}
