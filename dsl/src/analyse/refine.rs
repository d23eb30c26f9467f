//! Narrower ranges, carried back through the operations that computed a value.

use super::analysis::Analysis;
use super::context::{ContextId, ceil_div};
use super::floats;
use super::limits::{MAX_FACT_TERMS, REFINE_DEPTH};
use super::polynomial::Polynomial;
use crate::ir::Overflow::Never;
use crate::ir::range::{Floats, Interval, Range};
use crate::ir::{BinaryOp, CastMode, Op, UnaryOp, ValueId};

/// Values left out one by one at the ends of a range.
const MAX_HOLES: usize = 8;

impl Analysis<'_> {
    pub(super) fn refine_above(&mut self, context: ContextId, value: ValueId, least: i128) {
        self.refine_interval(context, value, Interval { lo: least, hi: i128::MAX }, REFINE_DEPTH);
    }

    pub(super) fn refine_below(&mut self, context: ContextId, value: ValueId, most: i128) {
        self.refine_interval(context, value, Interval { lo: i128::MIN, hi: most }, REFINE_DEPTH);
    }

    fn refine_interval(&mut self, context: ContextId, value: ValueId, known: Interval, depth: u32) {
        if !self.holds(value, context) {
            return;
        }
        match self.interval_of(value, context).meet(known) {
            Some(range) => self.refine(context, value, range.range(), depth),
            None => self.contradict(context),
        }
    }

    /// `value` lies in `range` here; carried back through what computed it.
    pub(super) fn refine(&mut self, context: ContextId, value: ValueId, range: Range, depth: u32) {
        if self.condition_work == 0 || !self.holds(value, context) {
            return;
        }
        self.condition_work -= 1;
        let before = self.range_of(value, context);
        let met = before.meet(range).and_then(|met| self.without_holes(value, context, met));
        let Some(after) = met else { return self.contradict(context) };
        if after == before {
            return;
        }
        self.contexts[context.0 as usize].refined.insert(self.canon[value.0 as usize], after);
        match after {
            Range::Int { lo, hi } if depth > 0 => {
                self.refine_atoms(context, value, Interval::new(lo, hi), depth - 1);
                self.refine_operands(context, value, Interval::new(lo, hi), depth - 1);
            }
            Range::Float { lo, hi, nan } if depth > 0 => {
                self.refine_float_operand(context, value, Floats { lo, hi, nan }, depth - 1);
            }
            Range::Int { .. } | Range::Float { .. } | Range::Bool { .. } => {}
        }
    }

    /// The range without ends that `value` is known to differ from; `None` where nothing is left.
    fn without_holes(&self, value: ValueId, context: ContextId, range: Range) -> Option<Range> {
        let Range::Int { mut lo, mut hi } = range else { return Some(range) };
        let holes = self.ancestors(context).map(|own| own.nonzero.len()).sum::<usize>();
        for _ in 0..holes.min(MAX_HOLES) {
            lo += i128::from(self.is_hole(value, lo, context));
            hi -= i128::from(self.is_hole(value, hi, context));
        }
        (lo <= hi).then_some(Range::Int { lo, hi })
    }

    /// `value` lies in `known`, and is linear in its atoms: each lies where the others leave it.
    fn refine_atoms(&mut self, context: ContextId, value: ValueId, known: Interval, depth: u32) {
        let polynomial = self.polynomial_of(value, context);
        if !polynomial.is_linear() || polynomial.terms().len() > MAX_FACT_TERMS {
            return;
        }
        for (monomial, coefficient) in polynomial.terms() {
            let Some(atom) = monomial.atoms().next().filter(|atom| *atom != value) else { continue };
            let own = Polynomial::atom(atom).scale(*coefficient);
            let Some(rest) = own.and_then(|own| polynomial.sub(&own)) else { continue };
            let rest = self.polynomial_interval(&rest, context);
            let (least, most) = (known.lo.saturating_sub(rest.hi), known.hi.saturating_sub(rest.lo));
            let (lo, hi) = match coefficient.signum() {
                1 => (ceil_div(least, *coefficient), most.div_euclid(*coefficient)),
                _ => (ceil_div(most.saturating_neg(), -coefficient), least.saturating_neg().div_euclid(-coefficient)),
            };
            if lo > hi {
                return self.contradict(context);
            }
            self.refine_interval(context, atom, Interval { lo, hi }, depth);
        }
    }

    /// `value` lies in `known`: what its operands then are, for the operations that polynomials don't see through.
    fn refine_operands(&mut self, context: ContextId, value: ValueId, known: Interval, depth: u32) {
        if !self.is_computed(value, context) {
            return;
        }
        let above = Interval { lo: known.lo, hi: i128::MAX };
        let below = Interval { lo: i128::MIN, hi: known.hi };
        let body = self.body;
        let limits = crate::ir::range::limits(body.node(value).ty).unwrap_or(known);
        match body.node(value).op {
            Op::Binary(BinaryOp::Min, a, b) => {
                self.refine_interval(context, a, above, depth);
                self.refine_interval(context, b, above, depth);
            }
            Op::Binary(BinaryOp::Max, a, b) => {
                self.refine_interval(context, a, below, depth);
                self.refine_interval(context, b, below, depth);
            }
            Op::Unary(UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs, x) => {
                self.refine_interval(context, x, Interval { lo: -known.hi.max(0), hi: known.hi }, depth);
                let range = self.interval_of(x, context);
                if range.lo > -known.lo {
                    self.refine_interval(context, x, above, depth);
                } else if range.hi < known.lo {
                    self.refine_interval(context, x, Interval { lo: i128::MIN, hi: -known.lo }, depth);
                }
            }
            Op::Binary(BinaryOp::AbsDiff, a, b) => {
                for (own, other) in [(a, b), (b, a)] {
                    let other = self.interval_of(other, context);
                    let near = Interval { lo: other.lo - known.hi, hi: other.hi + known.hi };
                    self.refine_interval(context, own, near, depth);
                }
            }
            Op::Binary(BinaryOp::Shr, x, n) => {
                if let Some(n) = self.interval_of(n, context).single().filter(|n| (0..32).contains(n)) {
                    let (lo, hi) = (known.lo << n, ((known.hi + 1) << n) - 1);
                    self.refine_interval(context, x, Interval { lo, hi }, depth);
                }
            }
            Op::Binary(BinaryOp::Div, x, d) => {
                if let Some(d) = self.interval_of(d, context).single().filter(|d| *d > 0) {
                    let lo = if known.lo > 0 { known.lo * d } else { known.lo * d - (d - 1) };
                    let hi = if known.hi < 0 { known.hi * d } else { known.hi * d + (d - 1) };
                    self.refine_interval(context, x, Interval { lo, hi }, depth);
                }
            }
            Op::Cast(CastMode::Saturating, x) if crate::ir::range::limits(body.node(x).ty).is_some() => {
                if known.hi < limits.hi {
                    self.refine_interval(context, x, below, depth);
                }
                if known.lo > limits.lo {
                    self.refine_interval(context, x, above, depth);
                }
            }
            _ => {}
        }
    }

    fn refine_float_operand(&mut self, context: ContextId, value: ValueId, known: Floats, depth: u32) {
        match self.body.node(value).op {
            Op::Unary(UnaryOp::Neg(Never), x) => self.refine(context, x, floats::negate(known).range(), depth),
            Op::Unary(UnaryOp::Abs(Never), x) => {
                let both = Floats { lo: -known.hi, ..known };
                self.refine(context, x, both.range(), depth);
            }
            _ => {}
        }
    }
}
