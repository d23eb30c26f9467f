//! Which columns of a region are computed how: straight from the images' rows, and what is beside them.

use super::{
    Driver, Image,
    alignment::{LONG, is_aligned},
};
use crate::{
    limits::MIN_DIRECT_COLUMNS,
    region::Rect,
    stage::{Target, input_columns},
};

/// Columns of several rows from which on they are.
const WIDE: usize = 1024;

/// Columns of several rows from which on they are worth a step that overlaps the first.
const HEADED: usize = 256;

/// Rows after which the columns beside the direct ones are computed, at least and at most: what that costs is shared by all.
const TALL: [usize; 2] = [32, 128];

/// Bytes of rows, of all images, that the second cache should still hold; the least rows may be more.
const NEAR: usize = 256 << 10;

impl Driver<'_> {
    /// Finds the columns of each kind, from those that lie inside the images.
    pub(super) fn divide_columns(&mut self) {
        self.slot = self.slot();
        self.direct = self.direct_columns();
        self.head = self.head();
        if self.slot.is_some() {
            self.tall = (NEAR / self.row_bytes().max(1)).clamp(TALL[0], TALL[1]);
        }
    }

    /// The columns of the output in a slot; `None` where nothing is beside the direct columns, where edges are as wide as
    /// vectors, and where they can't lie side by side. Without a head, stores are aligned behind wide edges only.
    fn slot(&self) -> Option<usize> {
        let (start, end) = self.inside;
        let Rect { x0, x1, .. } = self.region;
        let edge = start.saturating_sub(x0).max(x1.saturating_sub(end));
        let of = |image: &Image| input_columns(&image.reads, image.stride, edge).div_ceil(image.stride.0 as usize);
        let slot = self.images.iter().map(of).max().unwrap_or(0).max(edge);
        let fits = slot <= self.lanes() && 2 * slot <= self.plan.columns;
        let can = self.plan.body.has_head && !self.exact && !self.plan.spec().coordinates && self.has_contiguous_rows;
        (edge > 0 && fits && can).then_some(slot)
    }

    /// The columns to compute from the images' own rows, of those `inside` where the body reads nothing outside them; none where
    /// elements of some row lie apart, which bodies do not know.
    ///
    /// Edges side by side take the columns that they are; in narrow images they cost more than they spare. A tile of an edge's
    /// own costs as much for one column as for a vector: it takes whole vectors, or as much of one as lets the direct columns
    /// begin where a vector's stores are aligned.
    fn direct_columns(&self) -> (usize, usize) {
        let (lanes, inside) = (self.lanes(), self.inside);
        let Rect { x0, x1, .. } = self.region;
        if !self.has_contiguous_rows {
            return (x0, x0);
        }
        if self.slot.is_some() {
            let is_narrow = inside.1.saturating_sub(inside.0) < MIN_DIRECT_COLUMNS.max(lanes);
            return if is_narrow { (x0, x0) } else { inside };
        }
        let edge = if self.is_worth_a_vector() { lanes } else { (inside.0 - x0).next_multiple_of(lanes) };
        let whole = x0 + edge;
        let start = (inside.0..whole).find(|&x| self.is_aligned(x)).unwrap_or(whole);
        let end = x1.saturating_sub(x1.saturating_sub(inside.1).next_multiple_of(lanes));
        let width = end.saturating_sub(start);
        let width = if self.exact { width / lanes * lanes } else { width };
        if width < lanes { (x0, x0) } else { (start, start + width) }
    }

    /// Whether a vector is computed at the start of a row that needs none, so that all stores behind it are aligned.
    fn is_worth_a_vector(&self) -> bool {
        let Rect { x0, x1, .. } = self.region;
        let columns = self.inside.1.saturating_sub(self.inside.0);
        let is_row = self.inside == (x0, x1) && self.region.height() == 1;
        let has_rows = self.inside.0 == x0 && self.group() > 1 && !self.exact && !self.plan.body.has_head;
        is_row && columns >= LONG || has_rows && columns >= WIDE
    }

    /// Columns of several rows from the first direct one to where a vector's stores are aligned; 0 where none are needed.
    fn head(&self) -> usize {
        let (a, b) = self.direct;
        let is_wide = self.group() > 1 && !self.exact && b - a >= HEADED;
        let heads = if is_wide { 0..self.lanes() } else { 0..0 };
        heads.into_iter().find(|head| self.is_aligned(a + head)).unwrap_or(0)
    }

    /// Whether the first output's vector at column `x` of the first row is aligned.
    fn is_aligned(&self, x: usize) -> bool {
        let starts = |target: &Target| is_aligned(target.at(x, self.region.y0).addr(), self.lanes() * target.pixel);
        self.targets.iter().find(|target| !target.base.is_null()).is_some_and(starts)
    }

    /// Bytes that a row of the region reads and writes.
    fn row_bytes(&self) -> usize {
        let read: usize = self.images.iter().map(|image| image.stride.0 as usize * image.source.pixel).sum();
        let written: usize = self.targets.iter().map(|target| target.pixel).sum();
        self.region.width() * (read + written)
    }
}
