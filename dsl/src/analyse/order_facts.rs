//! Order facts: a lower bound of a polynomial, found by taking away polynomials that are known to be ≥ 0.
//!
//! If P = k·F + R and F ≥ 0, k ≥ 0, then P ≥ R. Facts come from path conditions and requirements, and from the
//! operations themselves: `max(a, b) − a ≥ 0`, `z − isqrt(z)² ≥ 0`. Each step removes a monomial of P; the search goes
//! depth first, never twice through one polynomial, and within a budget. Where facts alone don't suffice, an atom
//! such as `max(a, b)` is replaced by either of its sides, under the order that makes it that side.

use std::cell::Cell;
use std::rc::Rc;

use super::analysis::Analysis;
use super::context::{ContextId, ceil_div};
use super::facts::{Sides, binary_facts, cast_facts, unary_facts};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use crate::ir::Overflow::{Never, Saturate};
use crate::ir::range::{Interval, Range, limits};
use crate::ir::{BinaryOp, Op, UnaryOp, ValueId};
use crate::quick::QuickMap;

/// Reductions that one query may try.
const QUERY_WORK: u32 = 200;
/// The same where no obligation depends on it.
const GLANCE_WORK: u32 = 12;
/// How many facts are taken away one after the other.
const MAX_DEPTH: u32 = 40;
/// How many floats stand between two whose order is asked for.
const FLOAT_DEPTH: u32 = 8;
/// How many atoms are replaced by their sides.
const MAX_SPLITS: u32 = 3;
/// Polynomials with more terms are not searched.
const MAX_SEARCH_TERMS: usize = 40;
/// Facts of path conditions that are tried, the innermost first.
const MAX_FACTS: usize = 24;
/// Coefficients beyond this come from facts that don't fit together.
const MAX_COEFFICIENT: i128 = 1 << 48;
/// Bounds up to this are none: polynomials whose values are known lie far above.
const NO_BOUND: i128 = -(1 << 120);

struct Query {
    work: u32,
    seen: QuickMap<Polynomial, ()>,
    splits: u32,
}

impl Analysis<'_> {
    /// A glance: what order says about a difference of two values, for tighter ranges.
    pub(super) fn order_interval(&mut self, polynomial: &Polynomial, context: ContextId, known: Interval) -> Interval {
        if polynomial.terms().len() > 3 || !polynomial.is_linear() {
            return known;
        }
        match self.apart(polynomial, context) {
            Some(found) => known.meet(found).unwrap_or(known),
            None => self.glance_at(polynomial, context, known),
        }
    }

    /// The same by a search.
    pub(super) fn glance_at(&mut self, polynomial: &Polynomial, context: ContextId, known: Interval) -> Interval {
        self.search(polynomial, context, known, Interval { lo: i128::MAX, hi: i128::MIN }, GLANCE_WORK)
    }

    /// What order says about a value, until it lies within `allowed`.
    pub(super) fn order_interval_towards(
        &mut self,
        polynomial: &Polynomial,
        context: ContextId,
        known: Interval,
        allowed: Interval,
    ) -> Interval {
        self.search(polynomial, context, known, allowed, QUERY_WORK)
    }

    fn search(
        &mut self,
        polynomial: &Polynomial,
        context: ContextId,
        known: Interval,
        goal: Interval,
        work: u32,
    ) -> Interval {
        let Interval { mut lo, mut hi } = known;
        if polynomial.terms().len() > MAX_SEARCH_TERMS {
            return known;
        }
        if lo < goal.lo {
            lo = lo.max(self.lower_bound(polynomial, context, goal.lo, work));
        }
        if hi > goal.hi
            && let Some(negated) = polynomial.scale(-1)
        {
            hi = hi.min(self.lower_bound(&negated, context, goal.hi.saturating_neg(), work).saturating_neg());
        }
        if lo <= hi { Interval { lo, hi } } else { known }
    }

    fn lower_bound(&mut self, polynomial: &Polynomial, context: ContextId, goal: i128, work: u32) -> i128 {
        let work = work.min(self.order_work);
        let mut query = Query { work, seen: QuickMap::default(), splits: 0 };
        let bound = self.lower(&mut query, polynomial, context, goal, MAX_DEPTH);
        self.order_work -= work - query.work;
        bound
    }

    fn lower(&mut self, query: &mut Query, p: &Polynomial, context: ContextId, goal: i128, depth: u32) -> i128 {
        let mut best = self.polynomial_interval(p, context).lo;
        if best < goal
            && let Some((less, greater, constant)) = p.as_difference()
            && best < constant
            && self.lattice_le(less, greater, context)
        {
            best = constant;
        }
        if best >= goal || depth == 0 || query.work == 0 || p.as_constant().is_some() {
            return best;
        }
        for atom in p.atoms() {
            for fact in self.facts_of(atom, context) {
                best = best.max(self.take_away(query, p, &fact, Some(atom), context, goal, depth));
                if best >= goal {
                    return best;
                }
            }
        }
        for fact in self.facts_in(context) {
            best = best.max(self.take_away(query, p, &fact, None, context, goal, depth));
            if best >= goal {
                return best;
            }
        }
        if query.splits < MAX_SPLITS {
            query.splits += 1;
            best = best.max(self.split(query, p, context, goal, depth));
            query.splits -= 1;
        }
        best
    }

    /// The best bound over the ways to take `fact` away from `p`. With `defined`, only where that atom goes.
    #[expect(clippy::too_many_arguments, reason = "the state of the search")]
    fn take_away(
        &mut self,
        query: &mut Query,
        p: &Polynomial,
        fact: &Polynomial,
        defined: Option<ValueId>,
        context: ContextId,
        goal: i128,
        depth: u32,
    ) -> i128 {
        let mut best = i128::MIN;
        for (own, coefficient) in p.terms() {
            for (monomial, factor) in fact.terms() {
                if *monomial == Monomial::ONE || defined.is_some_and(|atom| !monomial.contains(atom)) {
                    continue;
                }
                if query.work == 0 {
                    return best;
                }
                let Some(cofactor) = own.without(monomial) else { continue };
                let Some((reduced, scale)) = self.reduce(p, fact, (*coefficient, *factor), &cofactor, context) else {
                    continue;
                };
                if query.seen.insert(reduced.clone(), ()).is_some() {
                    continue;
                }
                query.work -= 1;
                let bound = self.lower(query, &reduced, context, goal.saturating_mul(scale), depth - 1);
                // No bound remains none: divided by the scale it would look like one.
                if bound > NO_BOUND {
                    best = best.max(ceil_div(bound, scale));
                }
                if best >= goal {
                    return best;
                }
            }
        }
        best
    }

    /// `scale·p − k·cofactor·fact` with the term gone, and `scale`; `None` where k·cofactor would be negative.
    fn reduce(
        &self,
        p: &Polynomial,
        fact: &Polynomial,
        (coefficient, factor): (i128, i128),
        cofactor: &Monomial,
        context: ContextId,
    ) -> Option<(Polynomial, i128)> {
        let sign = match cofactor.interval(&|atom| self.interval_of(atom, context)) {
            Interval { lo: 0.., .. } => 1,
            Interval { hi: ..=0, .. } => -1,
            _ => return None,
        };
        if coefficient.signum() * factor.signum() != sign {
            return None;
        }
        let common = gcd(coefficient, factor);
        let (scale, k) = (factor.abs() / common, sign * coefficient.abs() / common);
        let reduced = p.scale(scale)?.sub(&fact.times(cofactor, k)?)?;
        let is_small = reduced.terms().iter().all(|(_, coefficient)| coefficient.abs() <= MAX_COEFFICIENT);
        is_small.then_some((reduced, scale))
    }

    /// The facts of the conditions around, innermost first.
    fn facts_in(&self, context: ContextId) -> Vec<Rc<Polynomial>> {
        let mut facts = Vec::new();
        for own in self.ancestors(context) {
            for fact in &own.facts {
                if facts.len() < MAX_FACTS {
                    facts.push(Rc::clone(fact));
                }
            }
        }
        facts
    }

    /// `p` with an atom replaced by each of the values it can have: the worse of the bounds.
    fn split(&mut self, query: &mut Query, p: &Polynomial, context: ContextId, goal: i128, depth: u32) -> i128 {
        for atom in p.atoms() {
            if query.work < 4 {
                break;
            }
            let Some(cases) = self.cases_of(atom, context) else { continue };
            query.work -= 2;
            let mut worst = i128::MAX;
            for (value, inside) in cases {
                if self.is_unreachable(inside) {
                    continue;
                }
                let Some(replaced) = p.substitute(atom, &value) else {
                    worst = i128::MIN;
                    break;
                };
                let seen = std::mem::take(&mut query.seen);
                worst = worst.min(self.lower(query, &replaced, inside, goal, depth - 1));
                query.seen = seen;
                if worst < goal {
                    break;
                }
            }
            if worst >= goal {
                return worst;
            }
        }
        i128::MIN
    }

    /// The values that an atom takes, each with the context in which it takes it. Together they cover everything.
    fn cases_of(&mut self, atom: ValueId, context: ContextId) -> Option<Vec<(Polynomial, ContextId)>> {
        let body = self.body;
        let node = body.node(atom);
        let limits = limits(node.ty)?;
        if !self.is_computed(atom, context) {
            return None;
        }
        if let Op::Select { condition, then, otherwise } = node.op {
            let cases = [(then, true), (otherwise, false)].map(|(value, truth)| {
                let inside = self.child(context, condition, truth);
                ((*self.polynomial_of(value, inside)).clone(), inside)
            });
            return Some(cases.into());
        }
        let of = |value: ValueId| self.polynomial_of(value, context);
        let difference = |a: ValueId, b: ValueId| of(a).sub(&of(b));
        // Each value with what is ≥ 0 where it is taken.
        let cases = match node.op {
            Op::Binary(BinaryOp::Max, a, b) => {
                [((*of(a)).clone(), difference(a, b)?), ((*of(b)).clone(), difference(b, a)?)]
            }
            Op::Binary(BinaryOp::Min, a, b) => {
                [((*of(b)).clone(), difference(a, b)?), ((*of(a)).clone(), difference(b, a)?)]
            }
            Op::Binary(BinaryOp::AbsDiff, a, b) => {
                let (first, second) = (difference(a, b)?, difference(b, a)?);
                [(first.clone(), first), (second.clone(), second)]
            }
            Op::Binary(BinaryOp::Sub(Saturate), a, b) if limits.lo == 0 => {
                let first = difference(a, b)?;
                [(first.clone(), first), (Polynomial::constant(0), difference(b, a)?)]
            }
            Op::Unary(UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs, x) => {
                let (own, negated) = ((*of(x)).clone(), of(x).scale(-1)?);
                [(own.clone(), own), (negated.clone(), negated)]
            }
            _ => return None,
        };
        Some(cases.map(|(value, fact)| (value, self.child_with_fact(context, fact))).into())
    }

    /// Polynomials that are ≥ 0 because of what `atom` computes.
    fn facts_of(&self, atom: ValueId, context: ContextId) -> Vec<Polynomial> {
        let node = self.body.node(atom);
        let (Some(limits), true) = (limits(node.ty), self.is_computed(atom, context)) else { return Vec::new() };
        let of = |value: ValueId| self.polynomial_of(value, context);
        let range = |value: ValueId| self.interval_of(value, context);
        let m = Polynomial::atom(atom);
        match node.op {
            Op::Unary(op, x) => unary_facts(op, &m, &of(x)),
            Op::Binary(op, a, b) if crate::ir::range::limits(self.body.node(a).ty).is_some() => {
                let sides = Sides { m: &m, a: &of(a), b: &of(b), x: range(a), y: range(b) };
                binary_facts(op, &sides, node.ty.is_signed(), node.ty.bits())
            }
            Op::Cast(mode, x) => match self.range_of(x, context) {
                Range::Int { .. } => cast_facts(mode, &m, &of(x), range(x), limits),
                Range::Float { .. } | Range::Bool { .. } => Vec::new(),
            },
            Op::Coordinate { axis, offset: 0 } => self.window_fact(&m, axis).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether `a ≤ b` for floats of which neither is NaN, by what is known about their order.
    pub(super) fn float_le(&self, a: ValueId, b: ValueId, context: ContextId) -> bool {
        self.float_path(a, b, context, FLOAT_DEPTH, &Cell::new(QUERY_WORK))
    }

    fn float_path(&self, a: ValueId, b: ValueId, context: ContextId, depth: u32, work: &Cell<u32>) -> bool {
        let number = |value: ValueId| matches!(self.range_of(value, context), Range::Float { nan: false, .. });
        if self.same(a, b) {
            return number(a);
        }
        if let (Range::Float { hi, nan: false, .. }, Range::Float { lo, nan: false, .. }) =
            (self.range_of(a, context), self.range_of(b, context))
            && hi <= lo
        {
            return true;
        }
        if depth == 0 || work.get() == 0 {
            return false;
        }
        work.set(work.get() - 1);
        let canon = |value: ValueId| self.canon[value.0 as usize];
        let le = |a: ValueId, b: ValueId| self.float_path(a, b, context, depth - 1, work);
        let later: Vec<ValueId> = self
            .ancestors(context)
            .flat_map(|own| &own.ordered)
            .filter(|(low, _)| *low == canon(a))
            .map(|(_, high)| *high)
            .collect();
        if later.into_iter().any(|high| high == canon(b) || le(high, b)) {
            return true;
        }
        match self.body.node(a).op {
            Op::Binary(BinaryOp::Min, x, y) if le(x, b) || le(y, b) => return true,
            Op::Binary(BinaryOp::Max, x, y) if le(x, b) && le(y, b) => return true,
            _ => {}
        }
        match self.body.node(b).op {
            Op::Binary(BinaryOp::Max, x, y) => le(a, x) || le(a, y),
            Op::Binary(BinaryOp::Min, x, y) => le(a, x) && le(a, y),
            _ => false,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
