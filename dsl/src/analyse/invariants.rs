//! What the variables of loops at run time can hold when a turn begins.
//!
//! Something is assumed of each variable, first no more than what it holds before the loop; the body is walked over under that; and
//! what the turns then leave in it is compared with what was assumed. Where nothing is left outside, the assumption holds in every
//! turn, by induction over the turns. Where something is, more is assumed, and in the end everything that the type holds.
//!
//! What a turn adds to a variable is known more closely: after `k` turns it has been added `k` times, and there are no more turns
//! than the ends of the loop say.

use super::analysis::{Analysis, walk};
use super::context::ContextId;
use super::demand::Mode;
use crate::ir::Overflow::Never;
use crate::ir::loops::{Variable, has_loops, turn_of, variables};
use crate::ir::range::{Interval, Range, limits};
use crate::ir::{Axes, AxisId, BinaryOp, Body, Kernel, Op, Order, ValueId, along};
use std::collections::BTreeMap;

/// What is assumed of variables, by their [`Op::Carried`].
pub(super) type Assumed = BTreeMap<ValueId, Range>;

/// Rounds in which what is assumed grows to what was found; from then on to the whole type.
const ROUNDS: usize = 6;
/// Rounds in which it shrinks again.
const NARROWINGS: usize = 2;
/// Sums of sums that are looked through for what a turn adds.
const DEPTH: u32 = 64;

/// How many minima or maxima within each other bound a loop.
const SIDES: u32 = 2;

/// Walks over the body under what holds of each variable in every turn. What is `known` to hold of values elsewhere is tried
/// first.
pub(super) fn walk_in_turns<'a>(
    kernel: &'a Kernel,
    body: &'a Body,
    mode: Mode,
    known: &[Option<Range>],
) -> Analysis<'a> {
    if !has_loops(&body.nodes) {
        return walk(kernel, body, mode, &Assumed::new());
    }
    let search = Search {
        kernel,
        body,
        mode: if mode == Mode::Prove { Mode::Proved } else { mode },
        variables: all_variables(body),
        along: along(&body.nodes),
    };
    let (assumed, analysis) = search.known(known).unwrap_or_else(|| search.narrowed(search.fixed_point()));
    if mode == search.mode { analysis } else { walk(kernel, body, mode, &assumed) }
}

/// A search for what holds in every turn.
struct Search<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    mode: Mode,
    /// All variables, each with its loop's [`Op::Turn`].
    variables: Vec<(ValueId, Variable)>,
    along: Vec<Axes>,
}

/// What is assumed, and the walk under it.
type Walked<'a> = (Assumed, Analysis<'a>);

impl<'a> Search<'a> {
    fn walk(&self, assumed: &Assumed) -> Analysis<'a> {
        walk(self.kernel, self.body, self.mode, assumed)
    }

    /// What is known of values, where it holds in every turn of this body.
    fn known(&self, known: &[Option<Range>]) -> Option<Walked<'a>> {
        let of = |(_, variable): &(ValueId, Variable)| {
            let range = known.get(variable.carried.0 as usize).copied().flatten()?;
            Some((variable.carried, range))
        };
        let assumed: Assumed = self.variables.iter().map(of).collect::<Option<_>>()?;
        let analysis = self.walk(&assumed);
        let holds = |(turn, variable): &(ValueId, Variable)| {
            let own = assumed[&variable.carried];
            own.hull(analysis.holds_in_turns(*turn, variable)) == own
        };
        self.variables.iter().all(holds).then_some((assumed, analysis))
    }

    /// What holds in every turn, found by assuming more and more.
    fn fixed_point(&self) -> Walked<'a> {
        let (mut assumed, mut round) = (Assumed::new(), 0);
        loop {
            let analysis = self.walk(&assumed);
            let known = assumed.clone();
            for (turn, variable) in &self.variables {
                let Some(own) = known.get(&variable.carried) else {
                    // What an inner loop begins with is known once something is assumed of the loops around it.
                    let around = self.along[variable.before.0 as usize].of_loops();
                    let waits = |(turn, own): &(ValueId, Variable)| {
                        axis_of(self.body, *turn).is_some_and(|axis| around.has(axis))
                            && !known.contains_key(&own.carried)
                    };
                    if !self.variables.iter().any(waits) {
                        assumed.insert(variable.carried, analysis.ranges[variable.before.0 as usize]);
                    }
                    continue;
                };
                let found = own.hull(analysis.holds_in_turns(*turn, variable));
                if found != *own {
                    let whole = Range::of_type(self.body.node(variable.carried).ty);
                    assumed.insert(variable.carried, if round < ROUNDS { found } else { whole });
                }
            }
            if assumed == known {
                return (assumed, analysis);
            }
            round += 1;
        }
    }

    /// The same, and what is left of it: where more was assumed than a turn leaves, that holds too.
    fn narrowed(&self, (mut assumed, mut analysis): Walked<'a>) -> Walked<'a> {
        for _ in 0..NARROWINGS {
            let known = assumed.clone();
            for (turn, variable) in &self.variables {
                let found = analysis.holds_in_turns(*turn, variable);
                assumed.entry(variable.carried).and_modify(|own| *own = own.meet(found).unwrap_or(*own));
            }
            if assumed == known {
                break;
            }
            analysis = self.walk(&assumed);
        }
        (assumed, analysis)
    }
}

fn axis_of(body: &Body, turn: ValueId) -> Option<AxisId> {
    if let Op::Turn { axis, .. } = body.node(turn).op { Some(axis) } else { None }
}

/// The variables of all loops, each with the loop's [`Op::Turn`].
fn all_variables(body: &Body) -> Vec<(ValueId, Variable)> {
    let ends =
        body.nodes.iter().filter_map(|node| if let Op::Outcome { end, .. } = node.op { Some(end) } else { None });
    let mut ends: Vec<ValueId> = ends.collect();
    ends.sort_unstable();
    ends.dedup();
    let of_loop = |end: ValueId| {
        let turn = turn_of(&body.nodes, end);
        variables(&body.nodes, end).into_iter().map(move |variable| (turn, variable))
    };
    ends.into_iter().flat_map(of_loop).collect()
}

impl Analysis<'_> {
    /// What a variable holds when any turn begins, if what is assumed holds.
    fn holds_in_turns(&self, turn: ValueId, variable: &Variable) -> Range {
        let before = self.ranges[variable.before.0 as usize];
        if let (Some(limits), Some((lo, hi))) = (limits(self.body.node(variable.carried).ty), before.as_int())
            && let Some(added) = self.added(variable.after, variable.carried, DEPTH)
        {
            let turns = self.most_turns(turn).saturating_sub(1).max(0);
            let reached = plus(Interval::new(lo, hi), times(turns, added));
            if let Some(range) = reached.range().meet(limits.range()) {
                return range.hull(before);
            }
        }
        self.left(variable.after, variable.carried, DEPTH).map_or(before, |left| before.hull(left))
    }

    /// What a turn leaves in a variable where it changes it.
    fn left(&self, id: ValueId, carried: ValueId, depth: u32) -> Option<Range> {
        match self.body.node(id).op {
            _ if self.same(id, carried) => None,
            Op::Select { then, otherwise, .. } if depth > 0 => {
                let sides = [then, otherwise].map(|side| self.left(side, carried, depth - 1));
                match sides {
                    [Some(then), Some(otherwise)] => self.ranges[id.0 as usize].meet(then.hull(otherwise)),
                    [then, otherwise] => then.or(otherwise),
                }
            }
            _ => Some(self.ranges[id.0 as usize]),
        }
    }

    /// What is behind a loop in a variable.
    pub(super) fn outcome_of(&self, end: ValueId, carried: ValueId) -> Range {
        let is_in_order = |turn: &Op| matches!(turn, Op::Turn { order: Order::Written, .. });
        let found = variables(&self.body.nodes, end).into_iter().find(|variable| {
            variable.carried == carried && is_in_order(&self.body.node(turn_of(&self.body.nodes, end)).op)
        });
        let range = |id: ValueId| self.ranges[id.0 as usize];
        found.map_or(Range::of_type(self.body.node(carried).ty), |own| range(own.before).hull(range(own.after)))
    }

    /// How many turns a loop has at most.
    fn most_turns(&self, turn: ValueId) -> i128 {
        let Op::Turn { start, end, .. } = self.body.node(turn).op else { return i128::from(u32::MAX) };
        let home: ContextId = self.homes[turn.0 as usize];
        let difference = |from: ValueId, to: ValueId| {
            let length = self.polynomial_of(to, home).sub(&self.polynomial_of(from, home));
            let length = length.map_or(i128::MAX, |length| self.polynomial_interval(&length, home).hi);
            length.min(self.interval_of(to, home).hi - self.interval_of(from, home).lo)
        };
        // The end is at most each side of a minimum, the start at least each of a maximum.
        let (starts, ends) = (self.sides(start, BinaryOp::Max, SIDES), self.sides(end, BinaryOp::Min, SIDES));
        let lengths = starts.iter().flat_map(|&from| ends.iter().map(move |&to| difference(from, to)));
        lengths.min().unwrap_or(i128::MAX).max(0)
    }

    /// A value, and where it is an operation of two values, those and theirs.
    fn sides(&self, value: ValueId, operation: BinaryOp, depth: u32) -> Vec<ValueId> {
        let mut sides = vec![value];
        if let Op::Binary(own, a, b) = self.body.node(value).op
            && own == operation
            && let Some(next) = depth.checked_sub(1)
        {
            sides.extend([a, b].into_iter().flat_map(|side| self.sides(side, operation, next)));
        }
        sides
    }

    /// What a turn adds to what a variable holds, where it does nothing else with it.
    fn added(&self, id: ValueId, carried: ValueId, depth: u32) -> Option<Interval> {
        if self.same(id, carried) {
            return Some(Interval::point(0));
        }
        let next = depth.checked_sub(1)?;
        let of = |id: ValueId| self.added(id, carried, next);
        let range = |id: ValueId| self.ranges[id.0 as usize].as_int().map(|(lo, hi)| Interval::new(lo, hi));
        match self.body.node(id).op {
            Op::Binary(BinaryOp::Add(Never), a, b) => match (of(a), of(b)) {
                (Some(own), None) => Some(plus(own, range(b)?)),
                (None, Some(own)) => Some(plus(own, range(a)?)),
                (_, _) => None,
            },
            Op::Binary(BinaryOp::Sub(Never), a, b) if of(b).is_none() => {
                let taken = range(b)?;
                Some(plus(of(a)?, Interval::new(-taken.hi, -taken.lo)))
            }
            Op::Select { then, otherwise, .. } => {
                let (then, otherwise) = (of(then)?, of(otherwise)?);
                Some(Interval::new(then.lo.min(otherwise.lo), then.hi.max(otherwise.hi)))
            }
            Op::Outcome { end, carried: inner } => {
                let own = variables(&self.body.nodes, end).into_iter().find(|variable| variable.carried == inner)?;
                let turns = self.most_turns(turn_of(&self.body.nodes, end));
                Some(plus(of(own.before)?, times(turns, self.added(own.after, inner, next)?)))
            }
            _ => None,
        }
    }
}

fn plus(a: Interval, b: Interval) -> Interval {
    Interval::new(a.lo.saturating_add(b.lo), a.hi.saturating_add(b.hi))
}

/// None to all of `turns` times what lies in an interval.
fn times(turns: i128, each: Interval) -> Interval {
    Interval::new(turns.saturating_mul(each.lo).min(0), turns.saturating_mul(each.hi).max(0))
}
