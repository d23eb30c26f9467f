//! What is known at a place of the body: a tree of contexts, one for each path condition.
//!
//! A context holds what its condition adds to its parent's: narrower ranges of values, polynomials known to be ≥ 0
//! (order facts) or ≠ 0, and pairs of ordered floats. The root holds what the kernel's `require`s say. A context whose
//! facts contradict each other is unreachable, and whatever is demanded there holds.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::analysis::{Analysis, Mode};
use super::polynomial::Polynomial;
use super::range::{Floats, Interval, Range};
use super::{floats, operands};
use crate::ir::{BinaryOp, CastMode, GuardId, Op, Type, UnaryOp, ValueId};

/// How far a refined range is carried back through the operations that computed the value.
const REFINE_DEPTH: u32 = 8;
/// How deep conditions nest before the rest of one is ignored.
const CONDITION_DEPTH: u32 = 32;
/// Facts with more terms than this don't narrow the ranges of their atoms.
const MAX_FACT_TERMS: usize = 24;
/// Facts around that a new one is held against.
const MAX_OPPOSITES: usize = 24;

/// The index of a context in [`Analysis::contexts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ContextId(pub(super) u32);

/// The context of what is always evaluated.
pub(super) const ROOT: ContextId = ContextId(0);

/// What one path condition adds to what its parent knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub(super) parent: Option<ContextId>,
    /// No input reaches this place.
    pub(super) unreachable: bool,
    /// Narrower ranges, by canonical value.
    pub(super) refined: BTreeMap<ValueId, Range>,
    /// Polynomials that are ≥ 0 here.
    pub(super) facts: Vec<Rc<Polynomial>>,
    /// Polynomials that are ≠ 0 here.
    pub(super) nonzero: Vec<Polynomial>,
    /// Floats a ≤ b, neither of them NaN.
    pub(super) ordered: Vec<(ValueId, ValueId)>,
    /// Conditions whose value is known.
    pub(super) known: Vec<(ValueId, bool)>,
}

impl Analysis<'_> {
    /// The context of a path condition.
    pub(super) fn context_of(&mut self, guard: Option<GuardId>) -> ContextId {
        let mut missing = Vec::new();
        let mut next = guard;
        let mut context = ROOT;
        while let Some(id) = next {
            if let Some(found) = self.guard_contexts[id.0 as usize] {
                context = found;
                break;
            }
            if missing.len() > self.body.guards.len() {
                break;
            }
            missing.push(id);
            next = self.body.guards[id.0 as usize].parent;
        }
        for id in missing.into_iter().rev() {
            let guard = self.body.guards[id.0 as usize];
            context = self.child(context, guard.condition, guard.polarity);
            self.guard_contexts[id.0 as usize] = Some(context);
        }
        context
    }

    /// The context inside `parent` in which `condition` has the value `polarity`.
    pub(super) fn child(&mut self, parent: ContextId, condition: ValueId, polarity: bool) -> ContextId {
        let key = (parent, self.canon[condition.0 as usize], polarity);
        if let Some(child) = self.children.get(&key) {
            return *child;
        }
        let child = self.empty_child(parent);
        self.children.insert(key, child);
        self.assume(child, condition, polarity, CONDITION_DEPTH);
        child
    }

    /// The context inside `parent` in which `fact` ≥ 0.
    pub(super) fn child_with_fact(&mut self, parent: ContextId, fact: Polynomial) -> ContextId {
        let child = self.empty_child(parent);
        self.assume_fact(child, fact);
        child
    }

    pub(super) fn is_unreachable(&self, context: ContextId) -> bool {
        self.ancestors(context).any(|own| own.unreachable)
    }

    /// The context and those around it, innermost first.
    pub(super) fn ancestors(&self, context: ContextId) -> impl Iterator<Item = &Context> {
        let first = &self.contexts[context.0 as usize];
        std::iter::successors(Some(first), |own| own.parent.map(|parent| &self.contexts[parent.0 as usize]))
    }

    /// Whether the path condition of `value` holds in `context`, so that what was found about it may be used there.
    pub(super) fn holds(&self, value: ValueId, context: ContextId) -> bool {
        let home = self.homes[value.0 as usize];
        if home == ROOT || home == context || self.is_inside(context, home) {
            return true;
        }
        let known = |fact: &(ValueId, bool)| self.ancestors(context).any(|own| own.known.contains(fact));
        self.ancestors(home).filter_map(|own| own.known.first()).all(known)
    }

    /// Whether `value` is, in `context`, what the name of its operation says: one that may have wrapped is not.
    pub(super) fn is_computed(&self, value: ValueId, context: ContextId) -> bool {
        self.holds(value, context) && (self.exact[value.0 as usize] || self.mode == Mode::Prove)
    }

    fn is_inside(&self, context: ContextId, outer: ContextId) -> bool {
        // A parent always has a smaller index than its children.
        let mut own = Some(context);
        while let Some(id) = own.filter(|id| *id > outer) {
            own = self.contexts[id.0 as usize].parent;
        }
        own == Some(outer)
    }

    fn empty_child(&mut self, parent: ContextId) -> ContextId {
        self.contexts.push(Context { parent: Some(parent), ..Context::default() });
        ContextId(self.contexts.len() as u32 - 1)
    }

    fn contradict(&mut self, context: ContextId) {
        self.contexts[context.0 as usize].unreachable = true;
    }

    /// Adds what follows from `condition` having the value `truth`.
    fn assume(&mut self, context: ContextId, condition: ValueId, truth: bool, depth: u32) {
        let condition = self.canon[condition.0 as usize];
        if self.ancestors(context).any(|own| own.known.contains(&(condition, !truth))) {
            self.contradict(context);
        }
        self.contexts[context.0 as usize].known.push((condition, truth));
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
            | Op::Input { .. }
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Cast(..) => {}
        }
    }

    fn assume_binary(&mut self, context: ContextId, op: BinaryOp, (a, b): (ValueId, ValueId), truth: bool, depth: u32) {
        match self.body.node(a).ty {
            Type::Bool => match (op, truth) {
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
            Type::F32 => self.assume_floats(context, op, a, b, truth),
            Type::U8 | Type::I8 | Type::U16 | Type::I16 | Type::U32 | Type::I32 => {
                self.assume_integers(context, op, a, b, truth);
            }
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
        let (x, y) = (Floats { lo, hi, nan }, Floats { lo: l, hi: h, nan: n });
        for (value, known) in
            [(a, floats::refine(op, truth, x, y)), (b, floats::refine(operands::mirrored(op), truth, y, x))]
        {
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

    fn refine_above(&mut self, context: ContextId, value: ValueId, least: i128) {
        self.refine_interval(context, value, Interval { lo: least, hi: i128::MAX }, REFINE_DEPTH);
    }

    fn refine_below(&mut self, context: ContextId, value: ValueId, most: i128) {
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
    fn refine(&mut self, context: ContextId, value: ValueId, range: Range, depth: u32) {
        if !self.holds(value, context) {
            return;
        }
        let before = self.range_of(value, context);
        let Some(after) = before.meet(range) else { return self.contradict(context) };
        if after == before {
            return;
        }
        self.contexts[context.0 as usize].refined.insert(self.canon[value.0 as usize], after);
        match after {
            Range::Int { lo, hi } if depth > 0 => {
                self.refine_atoms(context, value, Interval::new(lo.into(), hi.into()), depth - 1);
                self.refine_operands(context, value, Interval::new(lo.into(), hi.into()), depth - 1);
            }
            Range::Float { lo, hi, nan } if depth > 0 => {
                self.refine_float_operand(context, value, Floats { lo, hi, nan }, depth - 1);
            }
            Range::Int { .. } | Range::Float { .. } | Range::Bool { .. } => {}
        }
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
        let limits = super::range::limits(body.node(value).ty).unwrap_or(known);
        match body.node(value).op {
            Op::Binary(BinaryOp::Min, a, b) => {
                self.refine_interval(context, a, above, depth);
                self.refine_interval(context, b, above, depth);
            }
            Op::Binary(BinaryOp::Max, a, b) => {
                self.refine_interval(context, a, below, depth);
                self.refine_interval(context, b, below, depth);
            }
            Op::Unary(UnaryOp::Abs | UnaryOp::UnsignedAbs, x) => {
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
            Op::Cast(CastMode::Saturating, x) if super::range::limits(body.node(x).ty).is_some() => {
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
            Op::Unary(UnaryOp::Neg, x) => self.refine(context, x, floats::negate(known).range(), depth),
            Op::Unary(UnaryOp::Abs, x) => {
                let both = Floats { lo: -known.hi, ..known };
                self.refine(context, x, both.range(), depth);
            }
            _ => {}
        }
    }

    /// The interval of an integer value in `context`; of its type where it is no integer.
    pub(super) fn interval_of(&self, value: ValueId, context: ContextId) -> Interval {
        match self.range_of(value, context) {
            Range::Int { lo, hi } => Interval::new(lo.into(), hi.into()),
            Range::Bool { can_be_false, can_be_true } => {
                Interval { lo: i128::from(!can_be_false), hi: i128::from(can_be_true) }
            }
            Range::Float { .. } => Interval { lo: i64::MIN.into(), hi: i64::MAX.into() },
        }
    }

    /// The interval of a polynomial in `context`.
    pub(super) fn polynomial_interval(&self, polynomial: &Polynomial, context: ContextId) -> Interval {
        let mut work = self.vertex_work.get();
        let range = |atom: ValueId| self.interval_of(atom, context);
        let interval = polynomial.interval(&range, &mut work);
        self.vertex_work.set(work);
        let bounded = self.magnitude_interval(polynomial, context);
        bounded.and_then(|bounded| bounded.meet(interval)).unwrap_or(interval)
    }

    /// `divisor ≠ value`, by interval or by what a path condition says.
    pub(super) fn differs(&self, value: ValueId, other: i128, context: ContextId) -> bool {
        if !self.interval_of(value, context).holds(other) {
            return true;
        }
        let Some(difference) = self.polynomial_of(value, context).sub(&Polynomial::constant(other)) else {
            return false;
        };
        let negated = difference.scale(-1);
        self.ancestors(context)
            .flat_map(|own| &own.nonzero)
            .any(|known| *known == difference || Some(known) == negated.as_ref())
    }
}

/// The range of one truth value.
pub(super) fn bool_range(truth: bool) -> Range {
    Range::Bool { can_be_false: !truth, can_be_true: truth }
}

/// The quotient rounded up; the divisor is positive.
pub(super) fn ceil_div(dividend: i128, divisor: i128) -> i128 {
    dividend.div_euclid(divisor) + i128::from(dividend.rem_euclid(divisor) != 0)
}
