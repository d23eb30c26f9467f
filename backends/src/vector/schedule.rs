//! How many vectors and rows a step computes: the author's schedule, or what a simple cost model finds.
//!
//! A schedule never changes a result. More rows share the taps of neighbouring rows, more vectors share the overhead of
//! the loop; both end where the values no longer fit the registers, or where the text grows too long to compile fast.

use super::program::Program;
use super::{Subject, Target};
use crate::rows::RowPlan;
use windrow_dsl::ir::Block;

/// Intrinsic calls of one body.
const MOST_CALLS: usize = 700;
/// What remains of a block's instructions when its rows share as much as rows can: larger ones are not tried.
const SHARED: f64 = 0.4;
/// Instructions that a loop costs beside the elements' own.
const LOOP: f64 = 4.0;

/// The block of a body, in vectors and rows.
pub fn block<T: Target>(subject: &Subject<'_, T>) -> Block {
    let Subject { target, kernel, lanes, .. } = *subject;
    if let Some(chosen) = target.chosen(&kernel.schedule) {
        return Block { x: chosen.x.div_ceil(lanes).max(1), y: chosen.y.max(1) };
    }
    let has_rows = kernel.inputs.iter().any(|input| input.neighbourhood.top < input.neighbourhood.bottom);
    let rows: &[u32] = if has_rows { &[1, 2, 4] } else { &[1] };
    let columns: &[u32] = if has_rows { &[1, 2] } else { &[1, 2, 4] };
    let blocks = rows.iter().flat_map(|&y| columns.iter().map(move |&x| Block { x, y }));
    let least = Block { x: 1, y: 1 };
    let single = program(subject, least);
    let mut best = (cost(&single, least), least);
    for block in blocks.filter(|block| *block != least) {
        if (single.cost() as u32 * block.x * block.y) as f64 * SHARED > MOST_CALLS as f64 {
            continue;
        }
        let program = program(subject, block);
        let cost = cost(&program, block);
        if cost < best.0 && program.cost() <= MOST_CALLS && program.pressure() <= target.machine().registers {
            best = (cost, block);
        }
    }
    best.1
}

/// Instructions for a vector's lanes.
fn cost(program: &Program, block: Block) -> f64 {
    let pointers = f64::from(block.y);
    (program.cost() as f64 + LOOP + pointers) / f64::from(block.x * block.y)
}

fn program<T: Target>(subject: &Subject<'_, T>, block: Block) -> Program {
    let plan = RowPlan::new(subject.kernel, &subject.body, block.y);
    super::select(subject, block, &plan).program
}
