//! The stack scratch of a run, and staged tiles: small copies of the images with their borders written out.
//!
//! At edges, at tails, in images narrower than a vector and where elements of a row lie apart, a body runs on a tile instead of
//! the images: the same body on the same values, so that an edge can't differ from the inside. A tile holds, row after row, each output's rows and
//! then each input's, in vectors; what lies behind the needed columns is left from before, zero at first.

mod fill;
mod scatter;
mod series;

use core::mem::MaybeUninit;

use crate::{
    border::{Border, BorderMode},
    code::Body,
    infer::images,
    limits::{MAX_COLUMNS, MAX_INPUT_ROWS, MAX_OUTPUT_ROWS, TILE_BYTES},
    spec::{InputSpec, KernelSpec, NeighbourhoodSpec},
};

pub(crate) use scatter::copy_elements;
pub(crate) use series::{Series, copy_strips};

/// Alignment of a tile's rows.
const ROW: usize = 16;

/// The memory of a tile.
#[repr(C, align(64))]
pub(crate) struct Tile(pub [MaybeUninit<u8>; TILE_BYTES]);

/// Rows of an input that a body reads for one call.
pub(crate) fn input_rows(reads: &NeighbourhoodSpec, stride: (u32, u32), rows: u32) -> usize {
    (i64::from(stride.1) * (i64::from(rows) - 1) + i64::from(reads.bottom) - i64::from(reads.top) + 1).max(0) as usize
}

/// Columns of an input that a body reads for `columns` of output.
pub(crate) fn input_columns(reads: &NeighbourhoodSpec, stride: (u32, u32), columns: usize) -> usize {
    (stride.0 as i64 * (columns as i64 - 1) + i64::from(reads.right) - i64::from(reads.left) + 1).max(0) as usize
}

/// Bytes of a tile's row.
pub(crate) fn pitch(columns: usize, pixel: usize) -> usize {
    (columns * pixel).next_multiple_of(ROW)
}

/// The greatest width of a tile for `body`, a multiple of its lanes; `None` where the scratch is too small for one vector,
/// or the body contradicts the specification.
pub(crate) fn tile_columns(spec: &'static KernelSpec, body: &Body) -> Option<usize> {
    let (lanes, rows) = (body.lanes as usize, body.rows as usize);
    let sane = lanes >= 1 && rows >= 1 && body.reads.len() == images(spec).count();
    if !sane || !images(spec).zip(body.reads).all(|((_, input), reads)| reads_suit(input, reads)) {
        return None;
    }
    let input_rows: usize =
        rows_read(spec, body).map(|(input, reads)| input_rows(reads, input.stride(), body.rows)).sum();
    if input_rows > MAX_INPUT_ROWS || spec.outputs.len().checked_mul(rows)? > MAX_OUTPUT_ROWS {
        return None;
    }
    // Bytes grow with the width: the greatest number of vectors that fits, bit by bit.
    let fits = |vectors: usize| {
        let columns = vectors.checked_mul(lanes).filter(|&columns| columns <= MAX_COLUMNS);
        columns.is_some_and(|columns| tile_bytes(spec, body, rows, columns) <= TILE_BYTES)
    };
    let (mut vectors, mut bit) = (0, MAX_COLUMNS);
    while bit > 0 {
        if fits(vectors + bit) {
            vectors += bit;
        }
        bit /= 2;
    }
    (vectors > 0).then_some(vectors * lanes)
}

/// A body reads at least the neighbourhood, no further than a tile, and only the element itself of an `#[inout]` image. Of an
/// image that it reads anywhere it says nothing.
fn reads_suit(input: &InputSpec, reads: &NeighbourhoodSpec) -> bool {
    if input.is_whole() {
        return input.inout.is_none() && element_only(reads);
    }
    let around = input.neighbourhood();
    let holds = reads.left <= around.left
        && reads.right >= around.right
        && reads.top <= around.top
        && reads.bottom >= around.bottom;
    let near = [reads.left, reads.right, reads.top, reads.bottom].iter().all(|o| o.unsigned_abs() <= 1 << 20);
    let stride =
        input.stride().0 >= 1 && input.stride().1 >= 1 && input.stride().0 <= 1 << 10 && input.stride().1 <= 1 << 10;
    holds && near && stride && (input.inout.is_none() || (element_only(reads) && input.stride() == (1, 1)))
}

/// The images of which `body` reads rows, and what it reads of each.
pub(crate) fn rows_read(
    spec: &'static KernelSpec,
    body: &Body,
) -> impl Iterator<Item = (&'static InputSpec, &'static NeighbourhoodSpec)> {
    images(spec).map(|(_, input)| input).zip(body.reads).filter(|(input, _)| !input.is_whole())
}

/// Whether nothing beside the element itself is read.
pub(crate) fn element_only(reads: &NeighbourhoodSpec) -> bool {
    *reads == NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 }
}

/// Bytes of a tile of `rows` rows and `columns` columns of output: a row for each of each output, and of each input read.
pub(crate) fn tile_bytes(spec: &'static KernelSpec, body: &Body, rows: usize, columns: usize) -> usize {
    let outputs: usize =
        spec.outputs.iter().map(|output| rows * pitch(columns, output.element.size() * output.channels as usize)).sum();
    let inputs: usize = rows_read(spec, body)
        .map(|(input, reads)| {
            let pixel = input.element.size() * input.channels as usize;
            input_rows(reads, input.stride(), rows as u32) * pitch(input_columns(reads, input.stride(), columns), pixel)
        })
        .sum();
    outputs + inputs
}

/// A plane of an image that is read.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    /// The element at (0, 0).
    pub base: *const u8,
    /// Bytes from row to row.
    pub stride: isize,
    /// Bytes from element to element; those of an element where they lie side by side.
    pub apart: isize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Bytes of an element.
    pub pixel: usize,
    /// What lies outside.
    pub mode: BorderMode,
    /// The element outside, for `BorderMode::Constant`.
    pub constant: [u8; 16],
    /// Whether rows outside lie where they would: a band's buffer holds those that wrap around before or behind the others.
    pub unrolled: bool,
}

impl Source {
    /// Returns what lies outside an image of this specification. Under `Border::Undefined`, whatever is found outside
    /// decides no element that is kept; the edge is as good as anything.
    pub fn outside(input: &InputSpec, border: Border) -> (BorderMode, [u8; 16]) {
        let mut constant = [0; 16];
        // An image without neighbourhood is left only where it is broadcast: its one column or row is all there is.
        if input.neighbourhood() == NeighbourhoodSpec::default() {
            return (BorderMode::Replicate, constant);
        }
        let Border::Constant(value) = border else {
            let mode = border.mode();
            return (if mode == BorderMode::Undefined { BorderMode::Replicate } else { mode }, constant);
        };
        if let Some(value) = value.to_element(input.element) {
            let (bytes, size) = (value.bytes(), input.element.size());
            constant.iter_mut().enumerate().for_each(|(index, byte)| *byte = bytes[index % size]);
        }
        (BorderMode::Constant, constant)
    }

    /// Returns the row that stands for `row`; `None` for the constant.
    pub fn row(&self, row: isize) -> Option<isize> {
        if self.unrolled { Some(row) } else { self.mode.map(row, self.height).map(|row| row as isize) }
    }

    /// Returns where row `row` starts. For a band's buffer, the base may be where a row would lie that the buffer does
    /// not hold.
    pub fn row_at(&self, row: isize) -> *const u8 {
        self.base.wrapping_offset(row * self.stride)
    }

    /// Returns whether elements of a row lie side by side.
    pub fn has_contiguous_rows(&self) -> bool {
        self.apart == self.pixel as isize
    }
}

/// A plane of an image that is written.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The element at (0, 0); null for an output left out.
    pub base: *mut u8,
    /// Bytes from row to row.
    pub stride: isize,
    /// Bytes from element to element; those of an element where they lie side by side.
    pub apart: isize,
    /// Bytes of an element.
    pub pixel: usize,
}

impl Target {
    /// An output left out.
    pub const NONE: Target = Target { base: core::ptr::null_mut(), stride: 0, apart: 0, pixel: 0 };

    /// Returns the element at (x, y); null for an output left out.
    pub fn at(&self, x: usize, y: usize) -> *mut u8 {
        if self.base.is_null() {
            return self.base;
        }
        // The base may be where a row of a band's buffer would lie that the buffer does not hold.
        self.base.wrapping_offset(y as isize * self.stride + x as isize * self.apart)
    }

    /// Returns whether elements of a row lie side by side; so those of an output left out may.
    pub fn has_contiguous_rows(&self) -> bool {
        self.apart == self.pixel as isize
    }
}

#[cfg(test)]
mod tests;
