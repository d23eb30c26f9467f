//! Fills a tile's rows from an image: a strip of columns of several rows at once, and what the border puts outside.
//!
//! Strips at the edges are a few vectors wide and many rows tall, so sizes are told apart once a strip, not once a row.

use core::ops::Range;

use super::Source;

/// A rectangle in memory: its first byte, and the bytes from row to row.
type Strip<P> = (P, usize);

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
        let at = |row: isize| to.0.wrapping_add((row - rows.start) as usize * to.1);
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
                    None => (0..needed).for_each(|place| self.constant_to(at(row).add(place * self.pixel))),
                }
            }
            for place in (0..columns.start).chain(columns.end..needed) {
                let column = self.mode.map(first + place as isize, self.width);
                self.copy_outside(rows.clone(), column, inside, place, to);
            }
        }
    }

    /// Copies the columns inside the image of `count` rows from `row` on.
    ///
    /// # Safety
    /// As [`Source::copy_rows`]; the rows lie inside.
    unsafe fn copy_inside(&self, row: isize, count: usize, inside: Inside, to: Strip<*mut u8>) {
        let from = self.row_at(row).wrapping_add(inside.column * self.pixel);
        let to = (to.0.wrapping_add(inside.place * self.pixel), to.1);
        // SAFETY: the caller's.
        unsafe { copy_strip((from, self.stride), to, inside.count * self.pixel, count) }
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
                    copy_strip((written.cast_const(), to.1), (target, to.1), self.pixel, rows.len());
                }
                column => {
                    for (index, row) in rows.enumerate() {
                        let target = target.wrapping_add(index * to.1);
                        match (column, self.row(row)) {
                            (Some(column), Some(row)) => {
                                copy(self.row_at(row).add(column * self.pixel), target, self.pixel);
                            }
                            (None, _) | (_, None) => self.constant_to(target),
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// An element is writable at `to`.
    unsafe fn constant_to(&self, to: *mut u8) {
        // SAFETY: the caller's; an element has at most 16 bytes.
        unsafe { copy(self.constant.as_ptr(), to, self.pixel) }
    }
}

/// Copies `count` bytes; a few of them, as at a strip's edge, without a call.
///
/// # Safety
/// The bytes are readable at `from`, writable at `to`, and do not overlap.
#[inline]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { copy_strip((from, 0), (to, 0), count, 1) }
}

/// Copies `count` bytes of each of `rows` rows.
///
/// # Safety
/// As [`copy`], for each row.
#[inline]
unsafe fn copy_strip(from: Strip<*const u8>, to: Strip<*mut u8>, count: usize, rows: usize) {
    // SAFETY: the caller's.
    unsafe {
        match count {
            0 => {}
            1 => each_row(from, to, rows, |from, to| ends::<1>(from, to, 1)),
            2..=3 => each_row(from, to, rows, |from, to| ends::<2>(from, to, count)),
            4..=7 => each_row(from, to, rows, |from, to| ends::<4>(from, to, count)),
            8..=16 => each_row(from, to, rows, |from, to| ends::<8>(from, to, count)),
            17..=32 => each_row(from, to, rows, |from, to| ends::<16>(from, to, count)),
            33..=64 => each_row(from, to, rows, |from, to| ends::<32>(from, to, count)),
            _ => each_row(from, to, rows, |from, to| to.copy_from_nonoverlapping(from, count)),
        }
    }
}

/// Calls `copy` with where each row starts.
#[inline(always)]
fn each_row(from: Strip<*const u8>, to: Strip<*mut u8>, rows: usize, copy: impl Fn(*const u8, *mut u8)) {
    let (mut source, mut target) = (from.0, to.0);
    for _ in 0..rows {
        copy(source, target);
        (source, target) = (source.wrapping_add(from.1), target.wrapping_add(to.1));
    }
}

/// Copies the first and the last `N` bytes, which may be the same ones.
///
/// # Safety
/// As [`copy`], and `count` is at least `N`.
#[inline(always)]
unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, count: usize) {
    // SAFETY: the caller's; arrays of bytes are aligned everywhere.
    unsafe {
        let (first, last) = (from.cast::<[u8; N]>().read(), from.add(count - N).cast::<[u8; N]>().read());
        to.cast::<[u8; N]>().write(first);
        to.add(count - N).cast::<[u8; N]>().write(last);
    }
}
