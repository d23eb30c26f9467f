//! Which rows of each value a band needs: from its outputs' rows backwards, stage by stage.
//!
//! Under [`BorderMode::Wrap`] the first band needs rows of the image's end, and the last band rows of its start. So that a buffer
//! need not hold all that lies between, rows are counted on beyond the image: −1 is its last row, `height` its first.

use std::vec::Vec;

use crate::{
    border::BorderMode,
    function::{Chain, RowFootprint, ValueDef},
    region::Rect,
};

/// Half-open; empty where the end is not behind the start.
pub(super) type Rows = (isize, isize);

/// Rows of an image that follow one another, to be computed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its first row.
    pub start: usize,
    /// Behind its last row.
    pub end: usize,
    /// Heights by which they are counted beyond the image: −1 for rows before it, 1 for rows behind it.
    pub turns: isize,
}

/// How the rows of the outputs, whatever their heights, are shared among bands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder {
    /// Of the tallest output.
    height: usize,
    rows: usize,
}

impl Ladder {
    pub fn new(height: usize, rows: usize) -> Ladder {
        Ladder { height, rows: rows.clamp(1, height.max(1)) }
    }

    /// Returns the number of rows of a band of the tallest output.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of bands.
    pub fn count(&self) -> usize {
        self.height.div_ceil(self.rows)
    }

    /// Returns the rows that `band` writes of an output of `height` rows: the bands share them without overlap.
    pub fn owned(&self, height: usize, band: usize) -> (usize, usize) {
        let rung = |band: usize| {
            let row = (band * self.rows).min(self.height);
            (height as u128 * row as u128).div_ceil(self.height.max(1) as u128) as usize
        };
        (rung(band), rung(band + 1))
    }
}

/// The rows of a band.
#[derive(Clone, Debug)]
pub(super) struct BandRows {
    /// For each value, the rows that are written or read.
    pub extents: Vec<Rows>,
    /// For each value that is an output, the rows that are the band's own.
    pub owned: Vec<(usize, usize)>,
    /// For each stage, the rows to compute.
    pub computed: Vec<[Piece; 3]>,
}

impl BandRows {
    pub fn new(chain: &Chain, ladder: &Ladder, band: usize) -> BandRows {
        let owned = |value: &ValueDef| match value.output {
            Some(_) => ladder.owned(value.info.height(), band),
            None => (0, 0),
        };
        let owned: Vec<(usize, usize)> = chain.values.iter().map(owned).collect();
        let mut extents: Vec<Rows> = owned.iter().map(|&(start, end)| (start as isize, end as isize)).collect();
        let mut computed = vec![Piece::NONE; chain.stages.len()];
        for (index, stage) in chain.stages.iter().enumerate().rev() {
            let wiring = &stage.wiring;
            let written = wiring.outputs.iter().flatten();
            let wanted = written.clone().fold((0, 0), |rows, &value| hull(rows, extents[value]));
            let wanted = tamed(wanted, wiring.shape.height());
            written.for_each(|&value| extents[value] = wanted);
            computed[index] = Piece::of(wanted, wiring.shape.height()).map(|piece| piece.clip(wiring.valid.plane()));
            for (&value, footprint) in wiring.images.iter().zip(&wiring.footprints) {
                let height = chain.values[value].info.height();
                for piece in computed[index].iter().filter(|piece| piece.start < piece.end) {
                    let needed = match footprint {
                        Some(rows) => rows_read(piece, rows, height, !is_counted_on(chain, value)),
                        None => (0, height as isize),
                    };
                    need(chain, &mut extents, value, needed);
                }
            }
        }
        BandRows { extents, owned, computed }
    }

    /// Returns whether the value's rows go on beyond an image of this height.
    pub fn is_unrolled(&self, value: usize, height: usize) -> bool {
        let (start, end) = self.extents[value];
        start < 0 || end > height as isize
    }
}

impl Piece {
    const NONE: [Piece; 3] = [Piece { start: 0, end: 0, turns: 0 }; 3];

    /// The rows before the image, in it, and behind it.
    fn of((start, end): Rows, height: usize) -> [Piece; 3] {
        let height = height as isize;
        [-1, 0, 1].map(|turns| {
            let inside = |row: isize| (row - turns * height).clamp(0, height) as usize;
            Piece { start: inside(start), end: inside(end), turns }
        })
    }

    fn clip(self, valid: Rect) -> Piece {
        let (start, end) = (self.start.max(valid.y0), self.end.min(valid.y1));
        if valid.is_empty() { Piece { start, end: start, ..self } } else { Piece { start, end, ..self } }
    }
}

/// All of the image, where the rows counted on beyond it would be as many, or further away than once around.
fn tamed((start, end): Rows, height: usize) -> Rows {
    let height = height as isize;
    let inside = start >= 0 && end <= height;
    if inside || (end - start < height && start >= -height && end <= 2 * height) { (start, end) } else { (0, height) }
}

/// The stage that writes a value which bands hold in a buffer: intermediates, outputs that are read again, and outputs
/// of the same stage as those. Others are the caller's images, read and written where they are.
pub(super) fn writer_of_buffer(chain: &Chain, value: usize) -> Option<usize> {
    let writer = chain.values[value].writer?;
    let direct = |&value: &usize| chain.values[value].output.is_some() && chain.values[value].last_read.is_none();
    (!chain.stages[writer].outputs().iter().flatten().all(direct)).then_some(writer)
}

/// Whether rows of a value are counted on beyond it: an image of the caller's, and a view, lie as they do.
fn is_counted_on(chain: &Chain, value: usize) -> bool {
    chain.values[value].writer.is_some()
}

/// These rows of a value are needed, and so are those of what it is a view of.
fn need(chain: &Chain, extents: &mut [Rows], value: usize, rows: Rows) {
    extents[value] = hull(extents[value], rows);
    if let Some((of, view)) = &chain.values[value].view {
        let on = view.first_row().map(|first| (rows.0 + first as isize, rows.1 + first as isize));
        need(chain, extents, *of, on.unwrap_or((0, chain.values[*of].info.height() as isize)));
    }
}

/// The least range that holds both.
fn hull(a: Rows, b: Rows) -> Rows {
    match (a.1 <= a.0, b.1 <= b.0) {
        (true, _) => b,
        (_, true) => a,
        (false, false) => (a.0.min(b.0), a.1.max(b.1)),
    }
}

/// The rows of an image of `height` rows that a kernel reads for a piece, those that stand for rows outside included.
///
/// Rows that wrap around are counted on, but not in an image of the caller's, which lies as it does.
fn rows_read(piece: &Piece, footprint: &RowFootprint, height: usize, is_image: bool) -> Rows {
    let (stride, height, mode) = (footprint.stride as isize, height as isize, footprint.mode);
    let first = piece.start as isize * stride + footprint.top as isize;
    let behind = (piece.end as isize - 1) * stride + footprint.bottom as isize + 1;
    let turned = |(start, end): Rows| {
        if is_image { (start, end) } else { (start + piece.turns * height, end + piece.turns * height) }
    };
    if mode == BorderMode::Wrap && !is_image {
        return turned((first, behind));
    }
    let inside = (first.clamp(0, height), behind.clamp(0, height));
    let outside = (first..behind.min(0)).chain(first.max(height)..behind);
    let mapped = outside.filter_map(|row| mode.map(row, height as usize)).map(|row| row as isize);
    turned(mapped.fold(inside, |rows, row| hull(rows, (row, row + 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_share_the_rows_of_every_output_once() {
        for (tallest, rows) in (1..70).flat_map(|tallest| [1, 7, 8, 16, 100].map(|rows| (tallest, rows))) {
            let ladder = Ladder::new(tallest, rows);
            for height in 1..=tallest {
                let mut next = 0;
                for band in 0..ladder.count() {
                    let (start, end) = ladder.owned(height, band);
                    assert_eq!(start, next);
                    assert!(end >= start);
                    next = end;
                }
                assert_eq!(next, height);
            }
        }
    }

    #[test]
    fn the_rows_read_hold_every_row_that_is_mapped_to() {
        for mode in BorderMode::ALL.into_iter().filter(|mode| *mode != BorderMode::Undefined) {
            for (height, stride) in (1..12usize).flat_map(|height| [1, 2, 3].map(|stride| (height, stride))) {
                for (top, bottom) in [(0, 0), (-1, 1), (-2, 0), (0, 3), (1, 4), (-6, -4)] {
                    let reads = RowFootprint { top, bottom, stride: stride as u32, mode };
                    for (start, end) in (0..height).flat_map(|start| (start + 1..=height).map(move |end| (start, end)))
                    {
                        let piece = Piece { start, end, turns: 0 };
                        let (first, behind) = rows_read(&piece, &reads, height, true);
                        let on = rows_read(&piece, &reads, height, false);
                        for (row, dy) in (start..end).flat_map(|row| (top..=bottom).map(move |dy| (row, dy))) {
                            let at = row as isize * stride as isize + dy as isize;
                            let read = mode.map(at, height).map(|row| row as isize);
                            assert!(read.is_none_or(|read| (first..behind).contains(&read)));
                            let read = if mode == BorderMode::Wrap { Some(at) } else { read };
                            assert!(read.is_none_or(|read| (on.0..on.1).contains(&read)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn pieces_are_the_rows_counted_on() {
        for (height, start) in (1..8usize).flat_map(|height| (-20..20).map(move |start| (height, start))) {
            for end in start..22 {
                let rows = tamed((start, end), height);
                let pieces = Piece::of(rows, height);
                let found: Vec<isize> = pieces
                    .iter()
                    .flat_map(|piece| (piece.start..piece.end).map(|row| row as isize + piece.turns * height as isize))
                    .collect();
                assert_eq!(found, (rows.0..rows.1).collect::<Vec<_>>());
                assert!(rows == (start, end) || rows == (0, height as isize));
            }
        }
    }
}
