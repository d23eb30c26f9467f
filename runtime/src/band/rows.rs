//! Which rows of each slot a band needs: from its outputs' rows backwards, kernel by kernel.

use std::vec::Vec;

use crate::{border::BorderMode, code::Reads, function::Chain, infer::images, stage::Source};

/// Half-open; empty where the end is not behind the start.
pub(super) type Rows = (usize, usize);

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

    /// Rows of a band of the tallest output.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of bands.
    pub fn count(&self) -> usize {
        self.height.div_ceil(self.rows)
    }

    /// The rows that `band` writes of an output of `height` rows: the bands share them without overlap.
    pub fn owned(&self, height: usize, band: usize) -> Rows {
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
    /// For each slot, the rows that are written or read.
    pub extents: Vec<Rows>,
    /// For each slot that is an output, the rows that are the band's own.
    pub owned: Vec<Rows>,
    /// For each stage, the rows to compute.
    pub computed: Vec<Rows>,
}

impl BandRows {
    pub fn new(chain: &Chain, ladder: &Ladder, band: usize) -> BandRows {
        let owned = |slot: &crate::function::Use| match slot.output {
            Some(_) => ladder.owned(slot.info.height(), band),
            None => (0, 0),
        };
        let owned: Vec<Rows> = chain.slots.iter().map(owned).collect();
        let mut extents = owned.clone();
        let mut computed = vec![(0, 0); chain.stages.len()];
        for (index, stage) in chain.stages.iter().enumerate().rev() {
            let valid = stage.plan.valid.plane();
            let wanted = stage.outputs.iter().flatten().fold((0, 0), |rows, &slot| hull(rows, extents[slot]));
            let rows = (wanted.0.max(valid.y0), wanted.1.min(valid.y1));
            stage.outputs.iter().flatten().for_each(|&slot| extents[slot] = wanted);
            if rows.1 <= rows.0 || valid.is_empty() {
                continue;
            }
            computed[index] = rows;
            let read = images(stage.plan.spec()).zip(stage.plan.body.reads).zip(&stage.inputs);
            for (place, (((_, input), reads), &slot)) in read.enumerate() {
                let (mode, _) = Source::outside(input, stage.plan.borders.of(place));
                let needed = rows_read(rows, reads, input.stride.1, mode, chain.slots[slot].info.height());
                extents[slot] = hull(extents[slot], needed);
            }
        }
        BandRows { extents, owned, computed }
    }
}

/// The stage that writes a slot which bands hold in a buffer: intermediates, outputs that are read again, and outputs
/// beside those. Others are the caller's images, read and written where they are.
pub(super) fn writer_of_buffer(chain: &Chain, slot: usize) -> Option<usize> {
    let writer = chain.stages.iter().position(|stage| stage.outputs.contains(&Some(slot)))?;
    let direct = |&slot: &usize| chain.slots[slot].output.is_some() && chain.slots[slot].last_read.is_none();
    (!chain.stages[writer].outputs.iter().flatten().all(direct)).then_some(writer)
}

/// The least range that holds both.
fn hull(a: Rows, b: Rows) -> Rows {
    match (a.1 <= a.0, b.1 <= b.0) {
        (true, _) => b,
        (_, true) => a,
        (false, false) => (a.0.min(b.0), a.1.max(b.1)),
    }
}

/// The rows of an image of `height` rows that a kernel reads for the rows `start..end`, those that stand for rows outside
/// included.
fn rows_read((start, end): Rows, reads: &Reads, stride: u32, mode: BorderMode, height: usize) -> Rows {
    let stride = stride as isize;
    let (first, behind) =
        (start as isize * stride + reads.top as isize, (end as isize - 1) * stride + reads.bottom as isize + 1);
    let inside = (first.clamp(0, height as isize) as usize, behind.clamp(0, height as isize) as usize);
    let outside = (first..behind.min(0)).chain(first.max(height as isize)..behind);
    outside.filter_map(|row| mode.map(row, height)).fold(inside, |rows, row| hull(rows, (row, row + 1)))
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
                    let reads = Reads { left: 0, right: 0, top, bottom };
                    for (start, end) in (0..height).flat_map(|start| (start + 1..=height).map(move |end| (start, end)))
                    {
                        let (first, behind) = rows_read((start, end), &reads, stride, mode, height);
                        for row in start..end {
                            for dy in top..=bottom {
                                let read = mode.map(row as isize * stride as isize + dy as isize, height);
                                assert!(read.is_none_or(|read| (first..behind).contains(&read)));
                            }
                        }
                    }
                }
            }
        }
    }
}
