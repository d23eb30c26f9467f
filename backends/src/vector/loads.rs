//! Which loads of a step stay apart: asked by the printer, of the machines that have a reason.
//!
//! A compiler joins the loads of neighbouring vectors, two by two. A processor in order waits for both at once, by LLVM's
//! models three times as long as for one after the other. So where loads are as many as all else, that is where elements
//! are hardly computed, a long row is loaded in two odd numbers of vectors: one of either part stays alone.
//!
//! This serves element-wise kernels of one operation on long rows: without it sums, differences, distances and operations
//! on bits take 8 to 15 % more cycles by the model of a Cortex-A55, though 5 to 11 % fewer instructions; on processors out
//! of order, 0 to 4 % more.

use super::machine::BLOCK_BITS;
use super::program::{Base, Place, Program, Source};
use std::collections::BTreeMap;

/// Vectors of a long row.
const LONG: usize = 8;
/// Those in its first part: of 1, 3, 5 and 7 the number that costs no other processor anything.
const FIRST: usize = 5;

/// The statement of a step that loads the first vector of a second part, as an order of loads that is to be kept. None
/// where that is of no use: rows are short or loaded otherwise than vector by vector, or loads are few.
pub fn boundary(program: &Program) -> Option<usize> {
    let mut rows: BTreeMap<Base, Vec<Place>> = BTreeMap::new();
    let mut boundary = None;
    for (index, line) in program.step().iter().enumerate() {
        match &line.source {
            Source::Call(_) | Source::Scalar { .. } => {}
            Source::Load { place, count: 1 } => {
                let row = rows.entry(place.base).or_default();
                if row.len() == FIRST {
                    boundary = boundary.or(Some(index));
                }
                row.push(*place);
            }
            Source::Load { .. } | Source::LoadLane { .. } | Source::Gather { .. } => return None,
            Source::Repeated { .. } | Source::Either { .. } | Source::Quad(_) | Source::Contiguous { .. } => {
                return None;
            }
            Source::Across { .. } | Source::Turns(_) => return None,
        }
    }
    let are_many = 2 * rows.values().map(Vec::len).sum::<usize>() >= program.step().len();
    let is_even =
        |row: &Vec<Place>| row.len().is_multiple_of(2) && row.windows(2).all(|pair| follows(&pair[0], &pair[1]));
    let suit = are_many && rows.values().all(is_even) && rows.values().any(|row| row.len() >= LONG);
    boundary.filter(|_| suit)
}

/// Whether a vector lies behind another one.
fn follows(before: &Place, behind: &Place) -> bool {
    behind.offset - before.offset == i64::from(BLOCK_BITS / before.lane.bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::program::{Arg, Call, Lane};
    use windrow_dsl::ir::{AxisId, Block, InputId};
    use windrow_dsl::optimise::Nest;

    /// A step that loads these vectors of a row of bytes, and has this number of calls.
    fn step(offsets: &[i64], calls: u8) -> Program {
        let mut program = Program::new(&Nest::block(16, Block { x: 8, y: 1 }).within(AxisId::X, None));
        for &offset in offsets {
            let place = Place { base: Base::Row(InputId(0), 0), factor: 1, offset, apart: 0, lane: Lane::U8 };
            program.source(&[Lane::U8], &"a".into(), Source::Load { place, count: 1 });
        }
        for call in 0..calls {
            program.call(Lane::U8, &"b".into(), Call::new("vdupq_n_u8", vec![Arg::Coordinate(AxisId::X, call.into())]));
        }
        program
    }

    #[test]
    fn long_rows_of_much_loading_are_parted() {
        let row: Vec<i64> = (0..8).map(|vector| 16 * vector).collect();
        assert_eq!(boundary(&step(&row, 8)), Some(FIRST));
        assert_eq!(boundary(&step(&row, 9)), None, "few loads");
        assert_eq!(boundary(&step(&row[..6], 0)), None, "a short row");
        let beside: Vec<i64> = row.iter().flat_map(|&offset| [offset - 1, offset]).collect();
        assert_eq!(boundary(&step(&beside, 0)), None, "elements look at their neighbours");
    }
}
