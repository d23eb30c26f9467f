//! Fills a tile's rows from an image: a strip of columns of several rows at once, and what the border puts outside.

use core::ops::Range;

use super::{
    Source,
    scatter::copy_elements,
    series::{MOST_GATHERED, Series, Strip, copy, copy_strips, gather},
};

/// Which of a strip's columns lie inside an image.
#[derive(Clone, Copy)]
struct Inside {
    /// The first of them in the image, and in the strip.
    column: usize,
    place: usize,
    count: usize,
}

impl Inside {
    fn of(first: isize, needed: usize, width: usize) -> Inside {
        let (start, end) = (first.clamp(0, width as isize), (first + needed as isize).clamp(0, width as isize));
        // Where none is inside, none has a place.
        let place = if start < end { start - first } else { 0 };
        Inside { column: start as usize, place: place as usize, count: (end - start) as usize }
    }
}

impl Source {
    /// Writes the columns `first .. first + needed` of these rows, and of what lies outside the image, to `to`.
    ///
    /// # Safety
    /// The plane is readable, and `needed` elements of each row at `to` are writable and no part of it.
    pub unsafe fn copy_rows(&self, rows: Range<isize>, first: isize, needed: usize, to: Strip<*mut u8>) {
        let (least, most) = if self.unrolled { (rows.start, rows.end) } else { (0, self.height as isize) };
        let inner = rows.start.clamp(least, most)..rows.end.clamp(least, most);
        let at = |row: isize| to.0.wrapping_offset((row - rows.start) * to.1);
        let inside = Inside::of(first, needed, self.width);
        let columns = inside.place..inside.place + inside.count;
        // SAFETY: the caller's; what is inside lies in the rows.
        unsafe {
            if !inner.is_empty() {
                self.copy_inside(inner.start, inner.len(), inside, (at(inner.start), to.1));
            }
            for row in (rows.start..rows.end.min(least)).chain(rows.start.max(most)..rows.end) {
                match self.row(row) {
                    Some(inside_row) => self.copy_inside(inside_row, 1, inside, (at(row), to.1)),
                    None => self.constants_to((at(row), self.pixel as isize), needed),
                }
            }
            for place in (0..columns.start).chain(columns.end..needed) {
                let column = self.mode.map(first + place as isize, self.width);
                self.copy_outside(rows.clone(), column, inside, place, to);
            }
        }
    }

    /// Writes the columns `first .. first + needed` of these rows to `to`: those from `row` on that lie `step` apart, and of each
    /// rectangle of `series` behind the first those a row of the image below.
    ///
    /// # Safety
    /// As [`Source::copy_rows`]; all rows lie inside, and elements of each side by side.
    pub unsafe fn copy_series(
        &self,
        (row, step): (isize, isize),
        (first, needed): (isize, usize),
        to: Strip<*mut u8>,
        series: Series,
    ) {
        debug_assert!(self.has_contiguous_rows());
        let from = (self.row_at(row), step * self.stride);
        // SAFETY: the caller's; the columns lie in the image, the constant is an element.
        unsafe {
            let offsets = self.offsets(first, needed);
            if offsets.is_some_and(|offsets| gather(from, &offsets[..needed], to, self.pixel, series)) {
                return;
            }
            let inside = Inside::of(first, needed, self.width);
            let at = |place: usize| (to.0.wrapping_add(place * self.pixel), to.1);
            let in_row = |column: usize| (from.0.wrapping_add(column * self.pixel), from.1);
            copy_strips(in_row(inside.column), at(inside.place), inside.count * self.pixel, series);
            for place in (0..inside.place).chain(inside.place + inside.count..needed) {
                let (from, series) = match self.mode.map(first + place as isize, self.width) {
                    Some(column) => (in_row(column), series),
                    None => ((self.constant.as_ptr(), 0), Series { apart: (0, series.apart.1), ..series }),
                };
                copy_strips(from, at(place), self.pixel, series);
            }
        }
    }

    /// Where the columns `first .. first + needed` lie in a row; `None` where one is the constant, or they are many.
    fn offsets(&self, first: isize, needed: usize) -> Option<[usize; MOST_GATHERED]> {
        let mut offsets = [0; MOST_GATHERED];
        for (offset, column) in offsets.get_mut(..needed)?.iter_mut().zip(first..) {
            *offset = self.mode.map(column, self.width)? * self.pixel;
        }
        Some(offsets)
    }

    /// Copies the columns inside the image of `count` rows from `row` on.
    ///
    /// # Safety
    /// As [`Source::copy_rows`]; the rows lie inside.
    unsafe fn copy_inside(&self, row: isize, count: usize, inside: Inside, to: Strip<*mut u8>) {
        let to = (to.0.wrapping_add(inside.place * self.pixel), to.1);
        // SAFETY: the caller's.
        unsafe {
            if self.has_contiguous_rows() {
                let from = (self.element_at(row, inside.column), self.stride);
                return copy_strips(from, to, inside.count * self.pixel, Series::one(count));
            }
            for index in 0..count as isize {
                let from = (self.element_at(row + index, inside.column), self.apart);
                let to = (to.0.wrapping_offset(index * to.1), self.pixel as isize);
                copy_elements(from, to, inside.count, self.pixel);
            }
        }
    }

    /// Where the element of this row and column lies.
    fn element_at(&self, row: isize, column: usize) -> *const u8 {
        self.row_at(row).wrapping_offset(column as isize * self.apart)
    }

    /// Writes what stands for a column outside the image, a column of it or the constant, to `place` in these rows.
    ///
    /// # Safety
    /// As [`Source::copy_rows`], whose columns inside are written already.
    unsafe fn copy_outside(
        &self,
        rows: Range<isize>,
        column: Option<usize>,
        inside: Inside,
        place: usize,
        to: Strip<*mut u8>,
    ) {
        let target = to.0.wrapping_add(place * self.pixel);
        // SAFETY: the caller's; the column lies inside the image.
        unsafe {
            match column {
                Some(column) if (inside.column..inside.column + inside.count).contains(&column) => {
                    let written = to.0.wrapping_add((inside.place + column - inside.column) * self.pixel);
                    copy_strips((written.cast_const(), to.1), (target, to.1), self.pixel, Series::one(rows.len()));
                }
                Some(column) => {
                    for (index, row) in rows.enumerate() {
                        let target = target.wrapping_offset(index as isize * to.1);
                        let inside = self.row(row).map(|row| self.element_at(row, column));
                        copy(inside.unwrap_or(self.constant.as_ptr()), target, self.pixel);
                    }
                }
                None => self.constants_to((target, to.1), rows.len()),
            }
        }
    }

    /// Writes the constant `count` times.
    ///
    /// # Safety
    /// An element is writable at each place of `to`.
    unsafe fn constants_to(&self, to: Strip<*mut u8>, count: usize) {
        // SAFETY: the caller's; an element has at most 16 bytes.
        unsafe { copy_strips((self.constant.as_ptr(), 0), to, self.pixel, Series::one(count)) }
    }
}
