//! What is known at a place of the body: a tree of contexts, one for each path condition.
//!
//! A context holds what its condition adds to its parent's: narrower ranges of values, polynomials known to be ≥ 0
//! (order facts) or ≠ 0, and pairs of ordered floats. The root holds what the kernel's `require`s say. A context whose
//! facts contradict each other is unreachable, and whatever is demanded there holds.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::polynomial::Polynomial;
use crate::ir::ValueId;
use crate::ir::range::Range;

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
    pub(super) first: Option<(ValueId, bool)>,
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

/// The range of one truth value.
pub(super) fn bool_range(truth: bool) -> Range {
    Range::Bool { can_be_false: !truth, can_be_true: truth }
}

/// The quotient rounded up; the divisor is positive.
pub(super) fn ceil_div(dividend: i128, divisor: i128) -> i128 {
    dividend.div_euclid(divisor) + i128::from(dividend.rem_euclid(divisor) != 0)
}
