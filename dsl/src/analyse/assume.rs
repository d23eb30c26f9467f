//! From a condition to facts: what follows from its having one of its two values.

use std::rc::Rc;

use super::analysis::Analysis;
use super::context::{ContextId, bool_range, ceil_div};
use super::floats;
use super::limits::{CONDITION_DEPTH, MAX_FACT_TERMS, REFINE_DEPTH};
use super::polynomial::Polynomial;
use crate::ir::range::{Floats, Range};
use crate::ir::{BinaryOp, Op, Type, UnaryOp, ValueId};

/// Facts around that a new one is held against.
const MAX_OPPOSITES: usize = 24;

impl Analysis<'_> {
    /// Adds what follows from `condition` having the value `truth`.
    pub(super) fn assume(&mut self, context: ContextId, condition: ValueId, truth: bool, depth: u32) {
        let condition = self.canon[condition.0 as usize];
        let is_compound = self.body.node(condition).ty == Type::BOOL && !self.compares(condition);
        if is_compound && self.contexts[context.0 as usize].known.follows(condition, truth, depth) {
            return;
        }
        if self.ancestors(context).any(|own| own.known.holds(condition, !truth)) {
            self.contradict(context);
        }
        self.contexts[context.0 as usize].known.insert(condition, truth, depth);
        if self.condition_work == 0 {
            return;
        }
        self.condition_work -= 1;
        if self.range_of(condition, context).meet(bool_range(truth)).is_none() {
            self.contradict(context);
        }
        self.contexts[context.0 as usize].refined.insert(condition, bool_range(truth));
        if depth == 0 {
            return;
        }
        let body = self.body;
        match &body.node(condition).op {
            Op::Constant(_) => {}
            Op::Unary(UnaryOp::Not, x) => self.assume(context, *x, !truth, depth - 1),
            Op::Unary(UnaryOp::IsNan, x) => self.assume_nan(context, *x, truth),
            Op::Binary(op, a, b) => self.assume_binary(context, *op, (*a, *b), truth, depth),
            Op::Select { condition: c, then, otherwise } => {
                // `c && then` and `c || otherwise`, written as selects.
                let only = |value: ValueId, this: bool| self.range_of(value, context) == bool_range(this);
                if only(*otherwise, !truth) {
                    self.assume(context, *c, true, depth - 1);
                    self.assume(context, *then, truth, depth - 1);
                } else if only(*then, !truth) {
                    self.assume(context, *c, false, depth - 1);
                    self.assume(context, *otherwise, truth, depth - 1);
                } else if only(*then, truth) {
                    self.assume_either(context, [(*c, true), (*otherwise, truth)], depth);
                } else if only(*otherwise, truth) {
                    self.assume_either(context, [(*c, false), (*then, truth)], depth);
                }
            }
            Op::Unary(..)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Cast(..)
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => {}
        }
    }

    /// Whether a condition compares numbers, rather than being made of other conditions.
    fn compares(&self, condition: ValueId) -> bool {
        match self.body.node(condition).op {
            Op::Binary(_, a, _) => self.body.node(a).ty != Type::BOOL,
            _ => false,
        }
    }

    fn assume_binary(&mut self, context: ContextId, op: BinaryOp, (a, b): (ValueId, ValueId), truth: bool, depth: u32) {
        match self.body.node(a).ty {
            Type::BOOL => match (op, truth) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    self.assume(context, a, truth, depth - 1);
                    self.assume(context, b, truth, depth - 1);
                }
                (BinaryOp::And, false) | (BinaryOp::Or, true) => {
                    self.assume_either(context, [(a, truth), (b, truth)], depth);
                }
                (BinaryOp::Eq, _) => self.assume_equal(context, a, b, truth, depth),
                (BinaryOp::Ne | BinaryOp::Xor, _) => self.assume_equal(context, a, b, !truth, depth),
                _ => {}
            },
            ty if ty.is_float() => self.assume_floats(context, op, a, b, truth),
            _ => self.assume_integers(context, op, a, b, truth),
        }
    }

    /// Two truth values are equal (`truth`) or differ: where one is known, so is the other.
    fn assume_equal(&mut self, context: ContextId, a: ValueId, b: ValueId, truth: bool, depth: u32) {
        for (known, other) in [(a, b), (b, a)] {
            if let Range::Bool { can_be_false, can_be_true } = self.range_of(known, context)
                && can_be_false != can_be_true
            {
                self.assume(context, other, can_be_true == truth, depth - 1);
                return;
            }
        }
    }

    /// One of two conditions has its value: what both imply.
    fn assume_either(&mut self, context: ContextId, sides: [(ValueId, bool); 2], depth: u32) {
        let depth = depth.min(CONDITION_DEPTH / 4).saturating_sub(1);
        let children = sides.map(|(condition, truth)| {
            let child = self.empty_child(context);
            self.assume(child, condition, truth, depth);
            child
        });
        match children.map(|child| self.contexts[child.0 as usize].unreachable) {
            [true, true] => self.contradict(context),
            [true, false] => self.assume(context, sides[1].0, sides[1].1, depth),
            [false, true] => self.assume(context, sides[0].0, sides[0].1, depth),
            [false, false] => {
                let [left, right] = children.map(|child| self.contexts[child.0 as usize].clone());
                for (value, range) in &left.refined {
                    if let Some(other) = right.refined.get(value) {
                        self.refine(context, *value, range.hull(*other), 0);
                    }
                }
                let common = left.facts.into_iter().filter(|fact| right.facts.contains(fact));
                self.contexts[context.0 as usize].facts.extend(common);
                let common = left.nonzero.into_iter().filter(|fact| right.nonzero.contains(fact));
                self.contexts[context.0 as usize].nonzero.extend(common);
            }
        }
    }

    fn assume_integers(&mut self, context: ContextId, op: BinaryOp, a: ValueId, b: ValueId, truth: bool) {
        // `later − earlier − gap ≥ 0`.
        let (earlier, later, gap) = match (op, truth) {
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => (a, b, 1),
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => (a, b, 0),
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => (b, a, 1),
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => (b, a, 0),
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                self.assume_before(context, a, b, 0);
                self.assume_before(context, b, a, 0);
                return;
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => return self.assume_different(context, a, b),
            _ => return,
        };
        self.assume_before(context, earlier, later, gap);
    }

    /// `later ≥ earlier + gap`.
    fn assume_before(&mut self, context: ContextId, earlier: ValueId, later: ValueId, gap: i128) {
        let (low, high) = (self.interval_of(earlier, context), self.interval_of(later, context));
        self.refine_above(context, later, low.lo + gap);
        self.refine_below(context, earlier, high.hi - gap);
        let difference = self.polynomial_of(later, context).sub(&self.polynomial_of(earlier, context));
        if let Some(fact) = difference.and_then(|d| d.sub(&Polynomial::constant(gap))) {
            self.assume_fact(context, fact);
        }
    }

    fn assume_different(&mut self, context: ContextId, a: ValueId, b: ValueId) {
        for (value, other) in [(a, b), (b, a)] {
            let (range, excluded) = (self.interval_of(value, context), self.interval_of(other, context));
            match excluded.single() {
                Some(point) if point == range.lo => self.refine_above(context, value, point + 1),
                Some(point) if point == range.hi => self.refine_below(context, value, point - 1),
                Some(_) | None => {}
            }
        }
        let difference = self.polynomial_of(a, context).sub(&self.polynomial_of(b, context));
        if let Some(difference) = difference {
            if difference.as_constant() == Some(0) {
                self.contradict(context);
            }
            self.contexts[context.0 as usize].nonzero.push(difference);
        }
    }

    /// `fact` ≥ 0: kept, and used to narrow the ranges of its atoms where it is linear in them.
    pub(super) fn assume_fact(&mut self, context: ContextId, fact: Polynomial) {
        let negative = |sum: &Polynomial| sum.as_constant().is_some_and(|value| value < 0);
        let opposite = |known: &Rc<Polynomial>| known.add(&fact).is_some_and(|sum| negative(&sum));
        let contradicted =
            negative(&fact) || self.ancestors(context).flat_map(|own| &own.facts).take(MAX_OPPOSITES).any(opposite);
        if contradicted {
            self.contradict(context);
        }
        if fact.terms().len() <= MAX_FACT_TERMS {
            for (monomial, coefficient) in fact.terms() {
                let mut atoms = monomial.atoms();
                let (Some(atom), None) = (atoms.next(), atoms.next()) else { continue };
                let Some(rest) = fact.sub(&Polynomial::atom(atom).scale(*coefficient).unwrap_or(fact.clone())) else {
                    continue;
                };
                // coefficient · atom ≥ −rest ≥ −rest.hi
                let least = -self.polynomial_interval(&rest, context).hi.max(-i128::MAX);
                match coefficient.signum() {
                    1 => self.refine_above(context, atom, ceil_div(least, *coefficient)),
                    _ => self.refine_below(context, atom, (-least).div_euclid(-coefficient)),
                }
            }
        }
        self.contexts[context.0 as usize].facts.push(Rc::new(fact));
    }

    fn assume_floats(&mut self, context: ContextId, op: BinaryOp, a: ValueId, b: ValueId, truth: bool) {
        let (Range::Float { lo, hi, nan }, Range::Float { lo: l, hi: h, nan: n }) =
            (self.range_of(a, context), self.range_of(b, context))
        else {
            return;
        };
        let (x, y, ty) = (Floats { lo, hi, nan }, Floats { lo: l, hi: h, nan: n }, self.body.node(a).ty);
        for (value, known) in [
            (a, floats::refine(op, truth, ty, [x, y])),
            (b, floats::refine(op.mirrored().unwrap_or(op), truth, ty, [y, x])),
        ] {
            match known {
                Some(range) => self.refine(context, value, range.range(), REFINE_DEPTH),
                None => self.contradict(context),
            }
        }
        let numbers = !x.nan && !y.nan;
        let pair = match (op, truth) {
            (BinaryOp::Lt | BinaryOp::Le, true) => Some((a, b)),
            (BinaryOp::Gt | BinaryOp::Ge, true) => Some((b, a)),
            (BinaryOp::Lt | BinaryOp::Le, false) if numbers => Some((b, a)),
            (BinaryOp::Gt | BinaryOp::Ge, false) if numbers => Some((a, b)),
            _ => None,
        };
        let canon = |value: ValueId| self.canon[value.0 as usize];
        if let Some(pair) = pair.map(|(low, high)| (canon(low), canon(high))) {
            self.contexts[context.0 as usize].ordered.push(pair);
        }
    }

    fn assume_nan(&mut self, context: ContextId, x: ValueId, truth: bool) {
        if let Range::Float { lo, hi, nan } = self.range_of(x, context) {
            match (truth, nan) {
                (true, true) => {}
                (true, false) => self.contradict(context),
                (false, _) => self.refine(context, x, Range::Float { lo, hi, nan: false }, REFINE_DEPTH),
            }
        }
    }
}
