//! How many vectors and rows a body with loops at run time computes at once: blocks are weighed as the programs that they are, and
//! the one whose instructions cost least is taken.
//!
//! Loops run as often as nobody knows, so only what a turn costs for an element tells blocks apart. The search for other bodies
//! ([`super::schedule`]) prices values one by one, and many forms; here there is one form, and few candidates. What a row or a
//! vector more adds is the same each time, so that programs of a few rows and vectors tell what all others weigh.

use super::emit::{MOST_CALLS, MOST_OF_ALL_TIERS, Selected, select_legal, steps};
use super::in_turns::InTurns;
use super::machine::Machine;
use super::selection::Ranges;
use super::turns_together::multiplies_lanes;
use super::{Target, schedule, subject::Subject};
use std::rc::Rc;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{Axes, AxisId, Block, Body, Node, Op, along, check_vector};
use windrow_dsl::optimise::{Candidate, Choice, jam_turns};

/// A candidate must be better by this much to be worth a larger block.
const GAIN: f64 = 0.98;

/// Rows of a block whose turns go together, and the registers that a turn can fill beyond those of other steps: it keeps no loads
/// of the next one in flight. Sums of 6 rows by 2 vectors take 15 of the 16 that AVX2 has.
const MOST_ROWS: u32 = 8;
const IN_TURNS: usize = 2;

/// The least numbers of vectors and of rows from which on each adds the same. What vectors of a row share is first kept for another
/// row where there are two.
const ALIKE_VECTORS: u32 = 1;
const ALIKE_ROWS: u32 = 2;

/// The block of a body with loops that costs least by its program, of those whose vectors fit the registers; and its program.
pub(super) fn choose<T: Target>(
    subject: &Subject<'_, T>,
    turns: &InTurns,
    fixed: Option<Block>,
) -> Result<(Choice, Selected), Vec<Diagnostic>> {
    let Subject { target, kernel, bodies, .. } = *subject;
    let blocks = match fixed.or_else(|| schedule::fixed(subject)) {
        Some(block) => vec![block],
        None => candidates(target.machine(), turns.body()),
    };
    let most_calls = (MOST_OF_ALL_TIERS / target.machine().tiers).min(MOST_CALLS) / bodies.max(1);
    let mut search = Search { subject, turns, most_calls: most_calls as f64, programs: Vec::new() };
    let single = Block { x: 1, y: 1 };
    loop {
        let best = match search.best(&blocks)? {
            Some(best) => Some(best),
            None => search.best(&[single])?,
        };
        let Some((block, weight)) = best else {
            let help = "split it into several kernels";
            return Err(vec![Diagnostic::at(kernel.span, "this kernel has more loops than a program can have", help)]);
        };
        // What was told by others is taken for what it is before it is chosen.
        let Some(place) = search.programs.iter().position(|(own, _)| *own == block) else {
            search.measure(block)?;
            continue;
        };
        if let (_, Some((_, selected))) = search.programs.swap_remove(place) {
            let (registers, calls) = (weight.registers as usize, weight.calls as usize);
            let best = Candidate { form: "as written", block, weight: weight.of_element(block), registers, calls };
            return Ok((Choice { block, considered: vec![best], chosen: 0 }, selected));
        }
    }
}

/// The blocks of a body that are weighed.
fn candidates(machine: &Machine, body: &Body) -> Vec<Block> {
    // Without a loop in a step, what the rows of a block could share is computed before the row. Where that takes a loop, it is not
    // to be done once more for what whole steps of several vectors leave.
    let is_in_step = |(node, axes): (&Node, Axes)| matches!(node.op, Op::Carried { .. }) && axes.has(AxisId::X);
    let (columns, rows): (&[u32], u32) = match has_loops(&body.nodes) {
        // The rows of a block share what they multiply.
        false if multiplies_lanes(machine, body) => (&[1], if machine.multiplies_pairs { MOST_ROWS } else { 1 }),
        true if !body.nodes.iter().zip(along(&body.nodes)).any(is_in_step) => (&[1], 1),
        true => (machine.costs.columns, MOST_ROWS),
        false => (machine.costs.columns, 1),
    };
    columns.iter().flat_map(|&x| (1..=rows).map(move |y| Block { x, y })).collect()
}

/// A search for a block.
struct Search<'a, T> {
    subject: &'a Subject<'a, T>,
    turns: &'a InTurns,
    /// Instructions that a block may have.
    most_calls: f64,
    /// The programs that are known; none for a block whose loops would be too many.
    programs: Vec<(Block, Option<(Weight, Selected)>)>,
}

/// What tells blocks apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Weight {
    /// What a step costs.
    step: f64,
    registers: f64,
    calls: f64,
}

impl Weight {
    /// What the elements of one vector cost.
    fn of_element(self, block: Block) -> f64 {
        self.step / f64::from(block.x * block.y)
    }

    /// The sum with a multiple of another.
    fn and(self, factor: f64, other: Self) -> Self {
        let of = |own: f64, other: f64| own + factor * other;
        Self {
            step: of(self.step, other.step),
            registers: of(self.registers, other.registers),
            calls: of(self.calls, other.calls),
        }
    }
}

impl<T: Target> Search<'_, T> {
    /// The best of several blocks; none where the loops of all would be too many.
    fn best(&mut self, blocks: &[Block]) -> Result<Option<(Block, Weight)>, Vec<Diagnostic>> {
        let mut best: Option<(Block, Weight)> = None;
        for &block in blocks {
            // A larger block fills as many registers at least.
            let is_too_large = |(own, known): &(Block, Option<(Weight, Selected)>)| {
                own.x <= block.x && own.y <= block.y && !known.as_ref().is_some_and(|(weight, _)| self.fits(*weight))
            };
            if best.is_some() && self.programs.iter().any(is_too_large) {
                continue;
            }
            let Some(weight) = self.weight(block)? else { continue };
            let fits = self.fits(weight);
            let is_better =
                |(own, best): &(Block, Weight)| fits && weight.of_element(block) < best.of_element(*own) * GAIN;
            if best.as_ref().is_none_or(is_better) {
                best = Some((block, weight));
            }
        }
        Ok(best)
    }

    fn fits(&self, weight: Weight) -> bool {
        let registers = (self.subject.target.machine().costs.registers + IN_TURNS) as f64;
        weight.registers <= registers && weight.calls <= self.most_calls
    }

    /// What a block weighs: by its program where that is known, or else by those of smaller blocks.
    fn weight(&mut self, block: Block) -> Result<Option<Weight>, Vec<Diagnostic>> {
        if let Some((_, known)) = self.programs.iter().find(|(own, _)| *own == block) {
            return Ok(known.as_ref().map(|(weight, _)| *weight));
        }
        let (vectors, rows) = (alike(block.x, ALIKE_VECTORS), alike(block.y, ALIKE_ROWS));
        let mut sum = Weight::default();
        for (x, of_vectors) in vectors {
            for (y, of_rows) in rows {
                if of_vectors * of_rows != 0.0 {
                    let Some(weight) = self.measure(Block { x, y })? else { return Ok(None) };
                    sum = sum.and(of_vectors * of_rows, weight);
                }
            }
        }
        Ok(Some(sum))
    }

    /// What a block weighs by its program.
    fn measure(&mut self, block: Block) -> Result<Option<Weight>, Vec<Diagnostic>> {
        if let Some((_, known)) = self.programs.iter().find(|(own, _)| *own == block) {
            return Ok(known.as_ref().map(|(weight, _)| *weight));
        }
        let known = select(self.subject, self.turns, block)?.map(|selected| {
            let (program, costs) = (&selected.program, &self.subject.target.machine().costs);
            let (step, registers, calls) = (program.weight(costs), program.registers() as f64, program.cost() as f64);
            (Weight { step, registers, calls }, selected)
        });
        let weight = known.as_ref().map(|(weight, _)| *weight);
        self.programs.push((block, known));
        Ok(weight)
    }
}

/// A number as a sum of two, each with its factor, from which on each more adds the same.
fn alike(count: u32, from: u32) -> [(u32, f64); 2] {
    match count <= from + 1 {
        true => [(count, 1.0), (count, 0.0)],
        false => [(from, f64::from(from + 1) - f64::from(count)), (from + 1, f64::from(count - from))],
    }
}

/// The program of a block; none where its loops would be too many.
pub(super) fn select<T: Target>(
    subject: &Subject<'_, T>,
    turns: &InTurns,
    block: Block,
) -> Result<Option<Selected>, Vec<Diagnostic>> {
    let nest = steps(subject.lanes, block);
    let Some(jammed) = jam_turns(turns.body(), &nest) else { return Ok(None) };
    check_vector(&jammed.body, "the jam of turns");
    select_legal(subject, Rc::new(jammed.body), &nest, Ranges::OfElement(turns, jammed.origins)).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::CPU;
    use crate::vector::lockstep::lockstep;
    use windrow_dsl::optimise::prepare;

    const PRODUCT: &str = "#[kernel] fn product([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
        let ([rows, inner], [height, columns]) = (a.extents(), b.extents());
        let (row, column) = (y.min(rows - 1), x.min(columns - 1));
        let mut sum = 0.0;
        for k in 0..inner.min(height) { sum = a[[row, k]].mul_add(b[[k, column]], sum); }
        sum }";
    const BOX: &str = "#[kernel] fn sums([y, x]: At<2>, src: View<u8>, #[uniform(0..=127)] radius: [i32; 2]) -> u8 {
        let mut sum = 0u32;
        for row in y - radius[0]..=y + radius[0] {
            for column in x - radius[1]..=x + radius[1] { sum += src.get([row, column]).unwrap_or(1) as u32; }
        }
        (sum / 9).saturating_cast() }";
    /// Each row has loops of its own, and more than 24 loops are too many.
    const TRIANGLE: &str = "#[kernel] fn triangle([y, _]: At<2>, a: u32, #[uniform] n: u8) -> u32 {
        let mut sum = a;
        for k in 0..y { for _ in 0..n { sum = sum.wrapping_mul(3).wrapping_add(k as u32); } }
        sum }";

    #[test]
    fn few_programs_tell_what_all_blocks_weigh() {
        let target = crate::neon::Neon::Base;
        for source in [PRODUCT, BOX] {
            let compiled = windrow_dsl::compile_file(source);
            let kernel = &compiled.kernels[0].kernel;
            let prepared = prepare(kernel);
            let body = &prepared.bodies[0];
            let (lanes, forms) =
                (super::super::subject::lanes(target.machine(), kernel, body), prepared.forms(kernel, 0));
            let turns = InTurns::new(target.machine(), kernel, lockstep(kernel, body).unwrap(), lanes);
            let subject = Subject { target, kernel, body, turns: None, forms, lanes, bodies: 1 };
            let search = || Search { subject: &subject, turns: &turns, most_calls: 1e9, programs: Vec::new() };
            let mut told = search();
            for (x, y) in [(1, 1), (4, 1), (1, 4), (1, 8), (2, 5), (4, 2), (4, 6)] {
                let block = Block { x, y };
                let (told, found) = (told.weight(block).unwrap().unwrap(), search().measure(block).unwrap().unwrap());
                assert!((told.step - found.step).abs() < 1e-6 * found.step, "{block:?}: {told:?} {found:?}");
                assert_eq!(told.calls, found.calls, "{block:?}");
                // The vectors of a single row may be done with sooner.
                let is_told = told.registers == found.registers || y == 1 && told.registers > found.registers;
                assert!(is_told, "{block:?}: {told:?} {found:?}");
            }
            assert_eq!(told.programs.len(), 6);
        }
    }

    #[test]
    fn every_row_of_a_block_is_written() {
        for source in [PRODUCT, BOX, TRIANGLE] {
            let compiled = windrow_dsl::compile_file(source);
            let kernel = &compiled.kernels[0].kernel;
            for target in CPU.iter().filter(|target| target.machine.is_some()) {
                for block in [None, Some(Block { x: 2, y: 8 })] {
                    let emitted = (target.emit)(kernel, &prepare(kernel), 0, "k", block).unwrap();
                    let written = |row: u32| emitted.text.matches(&format!("let out_at_{row} ")).count();
                    let counts: Vec<usize> = (0..emitted.rows).map(written).collect();
                    // One row has no number. A function may write rows in whole steps, and once more behind them.
                    let is_alike = emitted.rows == 1 || counts[0] > 0 && counts.iter().all(|count| *count == counts[0]);
                    assert!(is_alike, "{} in {}: {counts:?}", kernel.name, target.name);
                }
            }
        }
    }
}
