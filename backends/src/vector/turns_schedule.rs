//! How many vectors and rows a body with loops at run time computes at once: each block is selected as a program, and the one whose
//! instructions cost least is taken.
//!
//! Loops run as often as nobody knows, so only what a turn costs for an element tells blocks apart. The search for other bodies
//! ([`super::schedule`]) prices values one by one, and many forms; here there is one form, and few candidates.

use super::emit::{MOST_CALLS, MOST_OF_ALL_TIERS, select};
use super::{Target, schedule, subject::Subject};
use crate::rows::RowPlan;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Block;
use windrow_dsl::optimise::{Candidate, Choice};

/// A candidate must be better by this much to be worth a larger block.
const GAIN: f64 = 0.98;

/// Rows of a block whose turns go together, and the registers that a turn can fill beyond those of other steps: it keeps no loads
/// of the next one in flight. Sums of 6 rows by 2 vectors take 15 of the 16 that AVX2 has.
const MOST_ROWS: u32 = 8;
const IN_TURNS: usize = 2;

/// The block of a body with loops that costs least by its program, of those whose vectors fit the registers.
pub(super) fn choose<T: Target>(subject: &Subject<'_, T>, fixed: Option<Block>) -> Result<Choice, Vec<Diagnostic>> {
    let Subject { target, kernel, body, bodies, .. } = *subject;
    let costs = &target.machine().costs;
    let fixed = fixed.or_else(|| schedule::fixed(subject));
    let blocks = match fixed {
        Some(block) => vec![block],
        None => costs.columns.iter().flat_map(|&x| (1..=MOST_ROWS).map(move |y| Block { x, y })).collect(),
    };
    let most_calls = (MOST_OF_ALL_TIERS / target.machine().tiers).min(MOST_CALLS) / bodies.max(1);
    let mut best: Option<Candidate> = None;
    for block in blocks {
        let plan = RowPlan::new(kernel, body, block.y);
        let candidate = Choice { block, considered: Vec::new(), chosen: 0 };
        let program = select(subject, &candidate, &plan)?.program;
        let (weight, registers, calls) = (program.weight(costs), program.registers(), program.cost());
        let weight = weight / f64::from(block.x * block.y);
        let fits = registers <= costs.registers + IN_TURNS && calls <= most_calls;
        if best.as_ref().is_none_or(|best| fits && weight < best.weight * GAIN) {
            best = Some(Candidate { form: "as written", block, weight, registers, calls });
        }
    }
    let block = best.as_ref().map_or(Block { x: 1, y: 1 }, |best| best.block);
    Ok(Choice { block, considered: best.into_iter().collect(), chosen: 0 })
}
