//! What is known at a place of the body: a tree of contexts, one for each path condition.
//!
//! A context holds what its condition adds to its parent's: narrower ranges of values, polynomials known to be ≥ 0
//! (order facts) or ≠ 0, and pairs of ordered floats. The root holds what the kernel's `require`s say. A context whose
//! facts contradict each other is unreachable, and whatever is demanded there holds.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::analysis::{Analysis, Mode};
use super::assume::CONDITION_DEPTH;
use super::polynomial::Polynomial;
use crate::ir::range::{Interval, Range};
use crate::ir::{GuardId, ValueId};

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
    pub(super) known: Known,
}

/// Conditions whose value is known in a context.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The one that the context is entered by: the others follow from it.
    first: Option<(ValueId, bool)>,
    /// For each, and each of its values, how deep what follows from it was looked at.
    depths: BTreeMap<(ValueId, bool), u32>,
}

impl Known {
    /// Adds a condition from which something follows down to a depth.
    pub(super) fn insert(&mut self, condition: ValueId, truth: bool, depth: u32) {
        self.first.get_or_insert((condition, truth));
        let known = self.depths.entry((condition, truth)).or_insert(depth);
        *known = depth.max(*known);
    }

    /// Whether the condition has this value.
    pub(super) fn holds(&self, condition: ValueId, truth: bool) -> bool {
        self.depths.contains_key(&(condition, truth))
    }

    /// Whether that was looked at as deep as this.
    pub(super) fn follows(&self, condition: ValueId, truth: bool, depth: u32) -> bool {
        self.depths.get(&(condition, truth)).is_some_and(|known| *known >= depth)
    }
}

impl Analysis<'_> {
    /// The context of a path condition.
    pub(super) fn context_of(&mut self, guard: Option<GuardId>) -> ContextId {
        if guard.is_none() {
            return ROOT;
        }
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
        let known = |(condition, truth)| self.ancestors(context).any(|own| own.known.holds(condition, truth));
        self.ancestors(home).filter_map(|own| own.known.first).all(known)
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

    pub(super) fn empty_child(&mut self, parent: ContextId) -> ContextId {
        self.contexts.push(Context { parent: Some(parent), ..Context::default() });
        ContextId(self.contexts.len() as u32 - 1)
    }

    /// No input reaches `context`.
    pub(super) fn contradict(&mut self, context: ContextId) {
        self.contexts[context.0 as usize].unreachable = true;
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
        self.is_hole(value, other, context)
    }

    /// `value ≠ other` by what a path condition says.
    pub(super) fn is_hole(&self, value: ValueId, other: i128, context: ContextId) -> bool {
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
