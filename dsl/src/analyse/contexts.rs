//! The tree of contexts: entered by the path conditions of a body, and asked for what is known at a place.

use super::analysis::Analysis;
use super::context::{Context, ContextId, ROOT};
use super::demand::Mode;
use super::limits::CONDITION_DEPTH;
use super::polynomial::Polynomial;
use crate::ir::range::{Interval, Range};
use crate::ir::{GuardId, ValueId};

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

    /// The interval of an integer value in `context`; that of its type where it is not an integer.
    pub(super) fn interval_of(&self, value: ValueId, context: ContextId) -> Interval {
        match self.range_of(value, context) {
            Range::Int { lo, hi } => Interval::new(lo, hi),
            Range::Bool { can_be_false, can_be_true } => {
                Interval { lo: i128::from(!can_be_false), hi: i128::from(can_be_true) }
            }
            Range::Float { .. } => {
                let (lo, hi) = self.body.node(value).ty.limits();
                Interval { lo, hi }
            }
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
