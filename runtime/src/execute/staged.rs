//! Runs a body on tiles: the columns at an image's edges, rows outside it, and what is narrower than a vector.
//!
//! A tile is as tall as it has room for: what it costs to set one up is shared by several groups of rows.

use super::{Driver, Scratch, TALL};
use crate::{
    limits::{MAX_ARGUMENTS, TILE_BYTES},
    region::Rect,
    stage::{Target, copy_elements, input_columns, input_rows, pitch},
};

/// Where the rows of an image lie in a tile: the first byte, and the bytes from row to row.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    pub first: usize,
    pub pitch: usize,
}

impl Strip {
    /// Returns the bytes from row to row, as those of an image that go backwards are counted.
    pub fn apart(&self) -> isize {
        // A tile has some kilobytes.
        self.pitch as isize
    }
}

/// Where the rows of all images lie in a tile; those of a run's edges are alike, and laid out once.
pub(super) struct Layout {
    /// Columns of the output, in vectors, and rows of it, in groups.
    columns: usize,
    rows: usize,
    /// Rows that it was asked for.
    wanted: usize,
    pub outputs: [Strip; MAX_ARGUMENTS],
    pub inputs: [Strip; MAX_ARGUMENTS],
    bytes: usize,
}

impl Layout {
    /// That of a tile without elements.
    pub const NONE: Layout = {
        let none = [Strip { first: 0, pitch: 0 }; MAX_ARGUMENTS];
        Layout { columns: 0, rows: 0, wanted: 0, outputs: none, inputs: none, bytes: 0 }
    };
}

/// Where a staged body's results go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Results {
    /// Straight to the outputs, in whole vectors and groups of rows, some of them perhaps once more.
    Stored,
    /// To the tile, whose needed elements are copied to the outputs.
    Copied,
}

impl Driver<'_> {
    /// Computes `part`, whatever its width and height, on tiles.
    ///
    /// # Safety
    /// As [`super::run_window`]; `part` lies in the region.
    pub(super) unsafe fn stage(&self, scratch: &mut Scratch, part: Rect) {
        let (lanes, group) = (self.plan.body.lanes as usize, self.plan.body.rows as usize);
        let stores = self.targets.iter().all(Target::has_contiguous_rows);
        let is_whole = part.width().is_multiple_of(lanes) && part.height() >= group && stores;
        let results = if is_whole && !self.exact { Results::Stored } else { Results::Copied };
        let mut rest = part;
        while !rest.is_empty() {
            let columns = Rect { x1: rest.x1.min(rest.x0 + self.plan.columns), ..rest };
            let height = part.height().min(TALL.next_multiple_of(group));
            self.make_room(scratch, columns.width().next_multiple_of(lanes), height);
            let mut below = columns;
            while !below.is_empty() {
                // The last block is moved up to a whole group, where its rows may be stored again.
                let y0 = if results == Results::Stored { below.y0.min(below.y1 - group) } else { below.y0 };
                let block = Rect { y0, y1: below.y1.min(below.y0 + scratch.layout.rows), ..below };
                // SAFETY: the caller's; the tile has room for the block's columns and rows, and is as tall as a group.
                unsafe { self.stage_block(scratch, block, results) };
                below.y0 = block.y1;
            }
            rest.x0 = columns.x1;
        }
    }

    /// Lays out a tile of `columns` columns, and of as many rows as `wanted` needs or as there is room for: groups of them.
    pub(super) fn make_room(&self, scratch: &mut Scratch, columns: usize, wanted: usize) {
        let group = self.plan.body.rows as usize;
        if scratch.layout.columns == columns && scratch.layout.wanted == wanted {
            return;
        }
        let mut groups = wanted.div_ceil(group);
        scratch.layout = self.lay_out(columns, groups * group);
        while groups > 1 && scratch.layout.bytes > TILE_BYTES {
            groups /= 2;
            scratch.layout = self.lay_out(columns, groups * group);
        }
        scratch.layout.wanted = wanted;
        let bytes = scratch.layout.bytes;
        // SAFETY: there is room for a group of each width that is staged (`tile_columns`).
        unsafe { scratch.clear(bytes) };
    }

    /// # Safety
    /// As [`super::run_window`]; `block` lies in the region, the tile has room for its rows and columns, and where results are
    /// stored the block is whole vectors wide and at least a group tall.
    unsafe fn stage_block(&self, scratch: &mut Scratch, block: Rect, results: Results) {
        let columns = scratch.layout.columns;
        // SAFETY: the caller's; what is copied is computed in whole groups, for which the tile has room.
        unsafe {
            self.fill_inputs(scratch, block);
            let mut part = Rect { x1: block.x0 + columns, ..block };
            if results == Results::Copied {
                part.y1 = block.y0 + block.height().next_multiple_of(self.group());
            }
            self.call_on_tile(scratch, part, 0, results);
            let done = part.height() / self.group() * self.group();
            if done < part.height() {
                // The last group is moved up over the one before.
                let up = part.height() - self.group();
                self.call_on_tile(scratch, Rect { y0: part.y0 + up, ..part }, up, results);
            }
            if results == Results::Copied {
                self.copy_back(scratch, block);
            }
        }
    }

    /// Calls the body on the groups of rows of `part`, the first of which is `below` rows below the tile's.
    ///
    /// # Safety
    /// As [`Driver::stage_block`]; the tile has been filled.
    pub(super) unsafe fn call_on_tile(&self, scratch: &mut Scratch, part: Rect, below: usize, results: Results) {
        scratch.pointers.clear();
        self.point_inputs_into_tile(scratch, below);
        match results {
            Results::Stored => self.point_into_outputs(scratch, part.x0, part.y0),
            Results::Copied => self.point_outputs_into_tile(scratch),
        }
        // SAFETY: the caller's.
        unsafe { self.call_down(scratch, part, 0) };
    }

    fn lay_out(&self, columns: usize, rows: usize) -> Layout {
        let mut layout = Layout { columns, rows, ..Layout::NONE };
        let mut place = |rows: usize, pitch: usize| {
            let first = layout.bytes;
            layout.bytes += rows * pitch;
            Strip { first, pitch }
        };
        for (strip, target) in layout.outputs.iter_mut().zip(self.targets.iter()) {
            *strip = place(rows, pitch(columns, target.pixel));
        }
        for (strip, image) in layout.inputs.iter_mut().zip(self.images.iter()) {
            let wide = input_columns(&image.reads, image.stride, columns);
            *strip = place(input_rows(&image.reads, image.stride, rows as u32), pitch(wide, image.source.pixel));
        }
        layout
    }

    /// Copies what the body reads for `block` into the tile.
    ///
    /// # Safety
    /// As [`super::run_window`], and the tile has room for `block`.
    unsafe fn fill_inputs(&self, scratch: &mut Scratch, block: Rect) {
        for (strip, image) in scratch.layout.inputs.iter().zip(self.images.iter()) {
            let (reads, stride, source) = (&image.reads, image.stride, &image.source);
            let needed = input_columns(reads, stride, block.width());
            let first = (block.x0 * stride.0 as usize) as isize + reads.left as isize;
            // Rows that no live row needs may be another part's, or lie in no memory.
            let top = image.first_row(block.y0);
            let rows = top..top + input_rows(reads, stride, block.height() as u32) as isize;
            // SAFETY: the tile has room for the rows; what is copied lies in the image, and only this part writes it.
            unsafe { source.copy_rows(rows, first, needed, (scratch.tile.add(strip.first), strip.apart())) };
        }
    }

    /// Points at the outputs' rows of the tile's first group.
    fn point_outputs_into_tile(&self, scratch: &mut Scratch) {
        for (strip, target) in scratch.layout.outputs.iter().zip(self.targets.iter()) {
            // An output left out has no bytes from row to row: its rows stay null.
            let mut place = if target.base.is_null() { target.base } else { scratch.tile.wrapping_add(strip.first) };
            for _ in 0..self.group() {
                scratch.pointers.output(place, self.group() as isize * strip.apart());
                place = place.wrapping_add(strip.pitch);
            }
        }
    }

    /// Points at the inputs' rows of the group that is `below` rows of the output below the tile's first.
    fn point_inputs_into_tile(&self, scratch: &mut Scratch, below: usize) {
        for (strip, image) in scratch.layout.inputs.iter().zip(self.images.iter()) {
            let left = image.reads.left as isize * image.source.pixel as isize;
            let pitch = image.stride.1 as usize * strip.pitch;
            let mut place = scratch.tile.wrapping_add(strip.first + below * pitch).wrapping_offset(-left);
            for _ in 0..image.rows {
                scratch.pointers.input(place, (self.group() * pitch) as isize);
                place = place.wrapping_add(strip.pitch);
            }
        }
    }

    /// Copies the tile's columns and rows of `block` to the outputs.
    ///
    /// # Safety
    /// As [`super::run_window`]; the body has written the tile.
    unsafe fn copy_back(&self, scratch: &Scratch, block: Rect) {
        let strips = scratch.layout.outputs.iter().zip(self.targets.iter());
        for (strip, target) in strips.filter(|(_, target)| !target.base.is_null()) {
            for row in 0..block.height() {
                // SAFETY: the element lies in the region, and so does the rest of the block's row.
                unsafe {
                    let to = (target.at(block.x0, block.y0 + row), target.apart);
                    let from = scratch.tile.add(strip.first + row * strip.pitch).cast_const();
                    copy_elements((from, target.pixel as isize), to, block.width(), target.pixel);
                }
            }
        }
    }
}
