//! Inputs that break a demand, found by search, so that an author sees the mistake rather than an interval.
//!
//! The body is evaluated on candidate inputs, within what the kernel declares: extremes first, then uphill one input at
//! a time, then at random. What is found is made small: inputs go towards zero for as long as the demand stays broken.
//! The work is bounded, and the order of everything is fixed: the same body gives the same example.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::demand::{DemandId, Failure, Rule};
use crate::interpret::{Arguments, evaluate, holds};
use crate::ir::range::Range;
use crate::ir::{Access, AxisId, Constant, Demand, GuardId, Op, TableId, Type, UniformId, ValueId};

/// Nodes evaluated for one failure.
const WORK: usize = 150_000;
/// Nodes evaluated to make an example small.
const SHRINK_WORK: usize = 60_000;
/// Starting points at random.
const RESTARTS: usize = 12;
/// Constants of the body that are tried as inputs.
const MAX_CONSTANTS: usize = 12;

/// Inputs on which a demand does not hold.
#[derive(Clone, Debug)]
pub(super) struct CounterExample {
    /// The values that the body reads, in order.
    pub(super) leaves: Vec<(ValueId, Constant)>,
    /// The integer that the operation would give; for a division, index or shift the offending operand.
    pub(super) gives: Option<i128>,
}

/// Looks for inputs that break the demand; `work` is what may still be spent on the whole body.
pub(super) fn find(analysis: &Analysis<'_>, failure: &Failure, work: &mut usize) -> Option<CounterExample> {
    if *work == 0 {
        return None;
    }
    let mut search = Search::new(analysis, failure, (*work).min(WORK));
    if search.cone.iter().any(|&id| analysis.body.node(id).op.is_of_loop()) {
        // What a turn finds depends on all turns before it.
        return None;
    }
    let found = search.run();
    *work = work.saturating_sub(search.spent);
    found
}

/// Better is greater. A demand is broken where it is positive.
pub(super) type Score = i128;
pub(super) const INVALID: Score = -(1 << 100);
const UNREACHED: Score = -(1 << 90);

pub(super) struct Search<'a, 'b> {
    pub(super) analysis: &'a Analysis<'b>,
    pub(super) failure: &'a Failure,
    /// What the demand depends on, in evaluation order; leaves are those that read something.
    cone: Vec<ValueId>,
    pub(super) leaves: Vec<ValueId>,
    choices: Vec<Vec<Constant>>,
    pub(super) values: Vec<Option<Constant>>,
    work: usize,
    spent: usize,
    random: u64,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(analysis: &'a Analysis<'b>, failure: &'a Failure, work: usize) -> Self {
        let cone = cone(analysis, failure);
        let spent = cone.len();
        let read = |id: &ValueId| {
            let op = &analysis.body.node(*id).op;
            let constant = matches!(op, Op::Constant(_));
            let first = analysis.canon[id.0 as usize] == *id;
            (op.is_leaf() && !constant && first) || matches!(op, Op::Lookup { .. } | Op::Gather { .. })
        };
        let leaves: Vec<ValueId> = cone.iter().copied().filter(read).collect();
        let constants = constants(analysis, &cone);
        let choices = leaves.iter().map(|leaf| choices(analysis, *leaf, &constants)).collect();
        let values = vec![None; analysis.body.nodes.len()];
        Self { analysis, failure, cone, leaves, choices, values, work, spent, random: 0x9e37_79b9_7f4a_7c15 }
    }

    fn run(&mut self) -> Option<CounterExample> {
        for start in 0..3 + RESTARTS {
            let mut point: Vec<Constant> = (0..self.leaves.len()).map(|leaf| self.start(leaf, start)).collect();
            if self.climb(&mut point) > 0 {
                self.shrink(&mut point);
                // What the last try gave may be another's: the one that is told is evaluated in any case.
                self.work = self.work.max(self.cone.len());
                self.score(&point);
                let gives = self.offending();
                return Some(CounterExample { leaves: self.leaves.iter().copied().zip(point).collect(), gives });
            }
            if self.work == 0 {
                return None;
            }
        }
        None
    }

    /// The first values of a climb: all greatest, all least, all zero, then at random.
    fn start(&mut self, leaf: usize, start: usize) -> Constant {
        let count = self.choices[leaf].len();
        let choice = match start {
            0 => 1,
            1 => 0,
            2 => 2,
            _ => self.next_random() as usize,
        };
        self.choices[leaf][choice % count]
    }

    /// Changes one input at a time for the better, until nothing helps.
    fn climb(&mut self, point: &mut [Constant]) -> Score {
        let mut best = self.score(point);
        let mut improved = true;
        while improved && best <= 0 {
            improved = false;
            for leaf in 0..point.len() {
                for choice in 0..self.choices[leaf].len() {
                    let before = point[leaf];
                    point[leaf] = self.choices[leaf][choice];
                    let score = self.score(point);
                    if score > best {
                        best = score;
                        improved = true;
                    } else {
                        point[leaf] = before;
                    }
                    if best > 0 || self.work == 0 {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Moves inputs towards zero, the last first, while the demand stays broken.
    fn shrink(&mut self, point: &mut [Constant]) {
        self.work = SHRINK_WORK;
        for leaf in (0..point.len()).rev() {
            let Constant::Int(value) = point[leaf] else {
                let ty = self.analysis.body.node(self.leaves[leaf]).ty;
                self.try_instead(point, leaf, Constant::of_float(0.0, ty));
                continue;
            };
            let range = self.analysis.ranges[self.leaves[leaf].0 as usize];
            let (lo, hi) = range.as_int().unwrap_or((value, value));
            let nearest = 0i128.clamp(lo, hi);
            // `value` breaks the demand; `kept` is nearer to zero and, as far as known, does not.
            let (mut value, mut kept) = (value, nearest);
            if value == nearest || self.try_instead(point, leaf, Constant::Int(nearest)) {
                continue;
            }
            while value.abs_diff(kept) > 1 {
                let middle = kept + (value - kept) / 2;
                if self.try_instead(point, leaf, Constant::Int(middle)) {
                    value = middle;
                } else {
                    kept = middle;
                }
            }
        }
    }

    fn try_instead(&mut self, point: &mut [Constant], leaf: usize, value: Constant) -> bool {
        let before = std::mem::replace(&mut point[leaf], value);
        let broken = std::mem::discriminant(&before) == std::mem::discriminant(&value) && self.score(point) > 0;
        if !broken {
            point[leaf] = before;
        }
        broken
    }

    /// How near the inputs are to breaking the demand; the values are left behind in `self.values`.
    fn score(&mut self, point: &[Constant]) -> Score {
        if self.work < self.cone.len() {
            self.work = 0;
            return INVALID;
        }
        self.work -= self.cone.len();
        self.spent += self.cone.len();
        if !self.is_declared(point) {
            return INVALID;
        }
        let body = self.analysis.body;
        let target = match self.failure.place {
            DemandId::Node(id) => Some(id),
            DemandId::Demand(_) => None,
        };
        for at in 0..self.cone.len() {
            let id = self.cone[at];
            let node = body.node(id);
            let value = self.value(id, point);
            if value.is_none() && Some(id) != target && holds(body, node.guard, &self.values) {
                return INVALID;
            }
            self.values[id.0 as usize] = value;
        }
        let missing = self.missing(self.guard());
        if missing > 0 { UNREACHED - missing } else { self.excess() }
    }

    fn value(&self, id: ValueId, point: &[Constant]) -> Option<Constant> {
        let body = self.analysis.body;
        let node = body.node(id);
        let given = |leaf: ValueId| self.leaves.binary_search(&leaf).ok().map(|at| point[at]);
        match node.op {
            Op::Lookup { table, index } => {
                let index = self.integer(index)?;
                let length = self.analysis.kernel.tables.get(table.0 as usize)?.length;
                if index < 0 || index >= length.into() {
                    return None;
                }
                // The same entry of a table is the same value, whichever look-up reads it.
                let reads = |other: &&ValueId| match body.node(**other).op {
                    Op::Lookup { table: t, index: i } => t == table && self.integer(i) == Some(index),
                    _ => false,
                };
                given(self.leaves.iter().take_while(|other| **other < id).find(reads).copied().unwrap_or(id))
            }
            Op::Constant(constant) => Some(constant),
            Op::Plane { outside, index, .. } => {
                // Planes are told apart by their indices, whatever the extents are.
                let outside = outside.map_or(Some(0), |id| self.integer(id))?;
                Some(Constant::Int((outside << 32) + self.integer(index)?))
            }
            Op::Gather { input, channel, plane, at: [row, column] } => {
                let plane_of = |plane: Option<ValueId>| plane.map_or(Some(0), |id| self.integer(id));
                let place = [plane_of(plane)?, self.integer(row)?, self.integer(column)?];
                // The same element is the same value, whichever read gives it.
                let reads = |other: &&ValueId| match body.node(**other).op {
                    Op::Gather { input: i, channel: c, plane: p, at: [y, x] } => {
                        let other = [plane_of(p), self.integer(y), self.integer(x)];
                        (i, c) == (input, channel) && other == place.map(Some)
                    }
                    _ => false,
                };
                given(self.leaves.iter().take_while(|other| **other < id).find(reads).copied().unwrap_or(id))
            }
            Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. } => given(self.analysis.canon[id.0 as usize]),
            // Nothing that depends on them is looked for.
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => None,
            Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                evaluate(body, node, &self.values, &Nothing)
            }
        }
    }

    pub(super) fn integer(&self, id: ValueId) -> Option<i128> {
        match self.values[id.0 as usize]? {
            Constant::Int(value) => Some(value),
            Constant::Bool(truth) => Some(truth.into()),
            Constant::Float(_) | Constant::Double(_) => None,
        }
    }

    pub(super) fn float(&self, id: ValueId) -> Option<f64> {
        self.values[id.0 as usize]?.as_float()
    }

    /// A small generator (xorshift): its quality doesn't matter, that it is always the same does.
    fn next_random(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) as u32
    }
}

/// What the demand depends on: its operands, the path conditions on the way, and theirs.
fn cone(analysis: &Analysis<'_>, failure: &Failure) -> Vec<ValueId> {
    let body = analysis.body;
    let mut cone = BTreeSet::new();
    let mut open = Vec::new();
    let guards = |guard: Option<GuardId>, open: &mut Vec<ValueId>| {
        let mut next = guard;
        while let Some(id) = next {
            open.push(body.guards[id.0 as usize].condition);
            next = body.guards[id.0 as usize].parent;
        }
    };
    match failure.place {
        DemandId::Node(id) => {
            let node = body.node(id);
            guards(node.guard, &mut open);
            match failure.rule {
                // The value that is divided or shifted doesn't matter.
                Rule::Divisor | Rule::ShiftAmount => open.extend(node.op.operands().get(1).copied()),
                _ => open.push(id),
            }
        }
        DemandId::Demand(index) => {
            let obligation = &body.obligations[index];
            guards(obligation.guard, &mut open);
            match obligation.demand {
                Demand::Index { index, .. } => open.push(index),
                Demand::Inside { index, extent } => open.extend([index, extent]),
                Demand::ClampBounds { lo, hi } => open.extend([lo, hi]),
            }
        }
    }
    while let Some(id) = open.pop() {
        if cone.insert(id) {
            let node = body.node(id);
            open.extend(node.op.operands());
            open.push(analysis.canon[id.0 as usize]);
            guards(node.guard, &mut open);
        }
    }
    cone.into_iter().collect()
}

/// Integers that occur in the body: comparisons turn on them.
fn constants(analysis: &Analysis<'_>, cone: &[ValueId]) -> Vec<i128> {
    let integer = |id: &ValueId| match analysis.body.node(*id).op {
        Op::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    };
    let found: BTreeSet<i128> = cone.iter().filter_map(integer).collect();
    found.into_iter().take(MAX_CONSTANTS).collect()
}

/// The values to try for an input: least, greatest, zero, then what is likely to matter.
fn choices(analysis: &Analysis<'_>, leaf: ValueId, constants: &[i128]) -> Vec<Constant> {
    let node = analysis.body.node(leaf);
    match analysis.ranges[leaf.0 as usize] {
        Range::Int { lo, hi } => {
            let middle = lo + (hi - lo) / 2;
            let near = [lo, hi, 0, 1, -1, 2, middle, lo + 1, hi - 1];
            let known =
                constants.iter().flat_map(|c| [*c, c.saturating_sub(1), c.saturating_add(1), c.saturating_neg()]);
            let mut values: Vec<i128> = near.into_iter().chain(known).map(|value| value.clamp(lo, hi)).collect();
            // The first three stay where a climb expects them.
            let mut seen = BTreeSet::new();
            let mut at = 0;
            values.retain(|value| {
                at += 1;
                seen.insert(*value) || at <= 3
            });
            values.into_iter().map(Constant::Int).collect()
        }
        Range::Float { lo, hi, nan } => {
            let [most, least] = if node.ty == Type::F64 {
                [f64::MAX, f64::MIN_POSITIVE]
            } else {
                [f32::MAX, f32::MIN_POSITIVE].map(f64::from)
            };
            let near = [lo, hi, 0.0, 1.0, -1.0, most, -most, 1.0e9, -1.0e9, 0.5, least, -0.0];
            let known = constants.iter().map(|c| *c as f64);
            let kept = near.into_iter().chain(known).filter(|value| lo <= *value && *value <= hi);
            let mut values: Vec<f64> = kept.collect();
            values.extend(nan.then_some(f64::NAN));
            values.into_iter().map(|value| Constant::of_float(value, node.ty)).collect()
        }
        Range::Bool { .. } if node.ty == Type::BOOL => vec![Constant::Bool(false), Constant::Bool(true)],
        Range::Bool { .. } => vec![Constant::Int(0)],
    }
}

/// Arguments of a body of which nothing is read: the search gives every leaf its value itself.
struct Nothing;

impl Arguments for Nothing {
    fn element(&self, _: &Access) -> Constant {
        Constant::Int(0)
    }

    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }

    fn coordinate(&self, _: AxisId) -> i32 {
        0
    }
}

#[cfg(test)]
mod tests {
    /// Of 258 inputs: the search for a smaller example ends before it is done, in a try that is no example.
    #[test]
    fn what_an_example_gives_is_its_own() {
        let compiled = crate::compile_file(
            "#[kernel] fn f(src: Neighbourhood<u8>) -> u16 {
                let mut sum = 0u16;
                for dy in -8..=8 { for dx in -8..=8 { sum += src.at(dx, dy) as u16; } }
                sum
            }",
        );
        let text = compiled.errors[0].text();
        assert!(text.contains("src.at(-8, -8) = 255, ") && text.contains(" 252 more like these gives 65536"), "{text}");
    }
}
