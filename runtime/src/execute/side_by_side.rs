//! Narrow edges: the few columns beside the direct ones, of many rows, computed side by side.
//!
//! A body computes whole vectors, of which an edge needs a column or two. So the left edge of each group of rows has a slot in
//! the tile, and the right edge another, and one call computes all of them:
//!
//! ```text
//!   │ left, group 0 │ left, group 1 │ … │ right, group 0 │ right, group 1 │ …        as many rows as one group reads
//! ```
//!
//! A slot has the columns that its edge reads; what a body makes of those that it doesn't, and of what two slots share, is not
//! needed. Coordinates would tell slots apart: kernels that ask for theirs have tiles of their own ([`staged`](super::staged)).

use core::ops::Range;

use super::{Driver, Scratch, staged::Results};
use crate::{
    region::Rect,
    stage::{Series, copy_strips, input_columns},
};

/// The edge of some groups of rows: its columns, the first row, how many groups, and the first of their slots.
struct Edge {
    columns: Range<usize>,
    y: usize,
    groups: usize,
    slot: usize,
}

impl Driver<'_> {
    /// Computes the columns beside the direct ones of these rows, in slots of `slot` columns.
    ///
    /// # Safety
    /// As [`run_window`](super::run_window); the rows lie in the region, are a group at least, and read rows of the images.
    pub(super) unsafe fn stage_side_by_side(&self, scratch: &mut Scratch, rows: Range<usize>, slot: usize) {
        let (group, lanes) = (self.group(), self.lanes());
        let most = self.plan.columns / (2 * slot);
        let mut y = rows.start;
        while y < rows.end {
            // The last group is moved up over the one before.
            let from = y.min(rows.end - group);
            let groups = ((rows.end - from) / group).min(most);
            let left = Edge { columns: self.region.x0..self.direct.0, y: from, groups, slot: 0 };
            let right = Edge { columns: self.direct.1..self.region.x1, y: from, groups, slot: groups };
            let columns = (2 * groups * slot).max(lanes);
            self.make_room(scratch, columns.next_multiple_of(lanes), group);
            let edges = [left, right];
            let edges = || edges.iter().filter(|edge| !edge.columns.is_empty());
            // SAFETY: the caller's; the tile has room for the rows of a group in all slots.
            unsafe {
                edges().for_each(|edge| self.fill_slots(scratch, edge, slot));
                self.call_on_tile(scratch, Rect::new(0, from, columns, from + group), 0, Results::Copied);
                edges().for_each(|edge| self.empty_slots(scratch, edge, slot));
            }
            y = from + groups * group;
        }
    }

    /// Copies what the body reads for an edge into its slots.
    ///
    /// # Safety
    /// As [`Driver::stage_side_by_side`], and the tile has room for the slots.
    unsafe fn fill_slots(&self, scratch: &mut Scratch, edge: &Edge, slot: usize) {
        for (strip, image) in scratch.layout.inputs.iter().zip(self.images.iter()) {
            let (stride, source) = (image.stride, &image.source);
            let needed = input_columns(&image.reads, stride, edge.columns.len());
            let first = (edge.columns.start * stride.0 as usize) as isize + image.reads.left as isize;
            let step = (self.group() * stride.1 as usize) as isize;
            let apart = slot * stride.0 as usize * source.pixel;
            let series = Series { rows: edge.groups, count: image.rows, apart: (source.stride, strip.apart()) };
            // SAFETY: the tile has room for the slots; the rows lie in the image, and only this part writes it.
            unsafe {
                let to = scratch.tile.add(strip.first + edge.slot * apart);
                source.copy_series((image.first_row(edge.y), step), (first, needed), (to, apart as isize), series);
            }
        }
    }

    /// Copies an edge's results from its slots to the outputs.
    ///
    /// # Safety
    /// As [`Driver::stage_side_by_side`]; the body has written the tile.
    unsafe fn empty_slots(&self, scratch: &Scratch, edge: &Edge, slot: usize) {
        let strips = scratch.layout.outputs.iter().zip(self.targets.iter());
        for (strip, target) in strips.filter(|(_, target)| !target.base.is_null()) {
            let apart = slot * target.pixel;
            let series = Series { rows: edge.groups, count: self.group(), apart: (strip.apart(), target.stride) };
            // SAFETY: the elements lie in the region.
            unsafe {
                let from = scratch.tile.add(strip.first + edge.slot * apart).cast_const();
                let to = (target.at(edge.columns.start, edge.y), self.group() as isize * target.stride);
                copy_strips((from, apart as isize), to, edge.columns.len() * target.pixel, series);
            }
        }
    }
}
