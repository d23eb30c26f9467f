//! Runs a body on tiles: the columns at an image's edges, rows outside it, and what is narrower than a vector.
//!
//! A tile is as tall as it has room for: what it costs to set one up is shared by several groups of rows.

use super::{Driver, Scratch};
use crate::{
    arguments::MAX_ARGUMENTS,
    region::Rect,
    stage::{TILE_BYTES, copy, input_columns, input_rows, pitch, tile_bytes},
};

/// Where the rows of each image lie in a tile.
struct Layout {
    /// Columns of the output, in vectors.
    columns: usize,
    /// The first byte of each output's rows, and then of each input's.
    outputs: [usize; MAX_ARGUMENTS],
    inputs: [usize; MAX_ARGUMENTS],
}

/// Where a staged body's results go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
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
        let is_whole = part.width().is_multiple_of(lanes) && part.height() >= group;
        let results = if is_whole && !self.exact { Results::Stored } else { Results::Copied };
        let mut rest = part;
        while !rest.is_empty() {
            let columns = Rect { x1: rest.x1.min(rest.x0 + self.plan.columns), ..rest };
            let padded = columns.width().next_multiple_of(lanes);
            let height = self.tile_rows(padded, part.height());
            let mut below = columns;
            while !below.is_empty() {
                // The last block is moved up to a whole group, where its rows may be stored again.
                let y0 = if results == Results::Stored { below.y0.min(below.y1 - group) } else { below.y0 };
                let block = Rect { y0, y1: below.y1.min(below.y0 + height), ..below };
                // SAFETY: the caller's; the tile has room for `padded` columns and `height` rows, and is as tall as a group.
                unsafe { self.stage_block(scratch, block, padded, results) };
                below.y0 = block.y1;
            }
            rest.x0 = columns.x1;
        }
    }

    /// Rows of a tile of `columns` columns, in groups: no more than `wanted` needs, nor than there is room for.
    fn tile_rows(&self, columns: usize, wanted: usize) -> usize {
        let (spec, body) = (self.plan.spec(), self.plan.body);
        let group = body.rows as usize;
        let fits = |groups: usize| tile_bytes(spec, body, groups * group, columns) <= TILE_BYTES;
        let mut groups = wanted.div_ceil(group);
        while groups > 1 && !fits(groups) {
            groups /= 2;
        }
        groups.max(1) * group
    }

    /// # Safety
    /// As [`super::run_window`]; `block` lies in the region, the tile has room for its rows and `padded` columns, and where
    /// results are stored the block is whole vectors wide and at least a group tall.
    unsafe fn stage_block(&self, scratch: &mut Scratch, block: Rect, padded: usize, results: Results) {
        let group = self.plan.body.rows as usize;
        let rows = block.height().next_multiple_of(group);
        // SAFETY: the caller's.
        unsafe {
            scratch.clear(tile_bytes(self.plan.spec(), self.plan.body, rows, padded));
            let layout = self.lay_out(padded, rows);
            self.fill_inputs(scratch, &layout, block);
            for row in (0..rows).step_by(group) {
                let row = if results == Results::Stored { row.min(block.height() - group) } else { row };
                let outputs = match results {
                    Results::Stored => self.point_into_outputs(scratch, block.x0, block.y0 + row),
                    Results::Copied => self.point_outputs_into_tile(scratch, &layout, row),
                };
                let inputs = self.point_inputs_into_tile(scratch, &layout, row);
                self.call(scratch, inputs, outputs, block.x0, block.y0 + row, padded);
            }
            if results == Results::Copied {
                self.copy_back(scratch, &layout, block);
            }
        }
    }

    fn lay_out(&self, columns: usize, rows: usize) -> Layout {
        let mut layout = Layout { columns, outputs: [0; MAX_ARGUMENTS], inputs: [0; MAX_ARGUMENTS] };
        let mut cursor = 0;
        for (first, target) in layout.outputs.iter_mut().zip(self.targets.iter()) {
            *first = cursor;
            cursor += rows * pitch(columns, target.pixel);
        }
        for (first, image) in layout.inputs.iter_mut().zip(self.images.iter()) {
            *first = cursor;
            let wide = input_columns(&image.reads, image.stride, columns);
            cursor += input_rows(&image.reads, image.stride, rows as u32) * pitch(wide, image.source.pixel);
        }
        layout
    }

    /// Copies what the body reads for `block` into the tile.
    ///
    /// # Safety
    /// As [`super::run_window`], and the tile has room for the layout, which has room for `block`.
    unsafe fn fill_inputs(&self, scratch: &mut Scratch, layout: &Layout, block: Rect) {
        for (first_byte, image) in layout.inputs.iter().zip(self.images.iter()) {
            let (reads, stride, source) = (&image.reads, image.stride, &image.source);
            let pitch = pitch(input_columns(reads, stride, layout.columns), source.pixel);
            let needed = input_columns(reads, stride, block.width());
            let first = (block.x0 * stride.0 as usize) as isize + reads.left as isize;
            // Rows that no live row needs may be another part's, or lie in no memory.
            let top = image.first_row(block.y0);
            let rows = top..top + input_rows(reads, stride, block.height() as u32) as isize;
            // SAFETY: the tile has room for the rows; what is copied lies in the image, and only this part writes it.
            unsafe { source.copy_rows(rows, first, needed, (scratch.tile.add(*first_byte), pitch)) };
        }
    }

    /// Points the outputs' rows of the group at the tile's row `row` into the tile; their number.
    fn point_outputs_into_tile(&self, scratch: &mut Scratch, layout: &Layout, row: usize) -> usize {
        let mut outputs = 0;
        for (first, target) in layout.outputs.iter().zip(self.targets.iter()) {
            let pitch = pitch(layout.columns, target.pixel);
            let mut place = scratch.tile.wrapping_add(first + row * pitch);
            for _ in 0..self.plan.body.rows {
                scratch.outputs[outputs] = if target.base.is_null() { target.base } else { place };
                place = place.wrapping_add(pitch);
                outputs += 1;
            }
        }
        outputs
    }

    /// Points the inputs' rows of the group at the tile's row `row` into the tile; their number.
    fn point_inputs_into_tile(&self, scratch: &mut Scratch, layout: &Layout, row: usize) -> usize {
        let mut inputs = 0;
        for (first, image) in layout.inputs.iter().zip(self.images.iter()) {
            let pitch = pitch(input_columns(&image.reads, image.stride, layout.columns), image.source.pixel);
            let left = image.reads.left as isize * image.source.pixel as isize;
            let top = row * image.stride.1 as usize;
            let mut place = scratch.tile.wrapping_add(first + top * pitch).wrapping_offset(-left);
            for _ in 0..image.rows {
                scratch.inputs[inputs] = place;
                place = place.wrapping_add(pitch);
                inputs += 1;
            }
        }
        inputs
    }

    /// Copies the tile's columns and rows of `block` to the outputs.
    ///
    /// # Safety
    /// As [`super::run_window`]; the body has written the tile.
    unsafe fn copy_back(&self, scratch: &Scratch, layout: &Layout, block: Rect) {
        for (first, target) in layout.outputs.iter().zip(self.targets.iter()).filter(|(_, t)| !t.base.is_null()) {
            let pitch = pitch(layout.columns, target.pixel);
            for row in 0..block.height() {
                // SAFETY: the element lies in the region, and so does the rest of the block's row.
                unsafe {
                    let to = target.at(block.x0, block.y0 + row);
                    copy(scratch.tile.add(first + row * pitch), to, block.width() * target.pixel);
                }
            }
        }
    }
}
