//! What is demanded of a body, where, and how it was shown to hold or was not.

use super::context::ContextId;
use crate::ir::ValueId;
use crate::ir::range::Interval;

/// What a failed proof means for the values that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is an error, and what follows is judged as if it held.
    Prove,
    /// Nothing was demanded: the value is whatever wrapping arithmetic gives.
    Ranges,
    /// It held elsewhere: every checked operation gives the exact integer, and proves nothing again.
    Proved,
}

/// What is demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// The exact result fits the type.
    Overflow,
    /// `-x` and `abs` of the least value don't exist.
    Magnitude,
    /// `as` keeps the value.
    Cast,
    /// The divisor is not zero.
    Divisor,
    /// Not MIN by −1.
    Quotient,
    /// The amount is below the width.
    ShiftAmount,
    /// The index is below the table's length.
    TableIndex,
    /// The index is below the array's length.
    ArrayIndex,
    /// The row or the column lies in the input.
    Inside,
    /// `clamp`'s lower bound is at most its upper.
    ClampBounds,
}

impl Rule {
    /// What must hold, for the language reference.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Overflow => "the result fits",
            Self::Magnitude => "a is not MIN",
            Self::Cast => "integers keep their value",
            Self::Divisor => "the divisor is not 0",
            Self::Quotient => "not MIN by -1",
            Self::ShiftAmount => "the amount is below the width",
            Self::TableIndex | Self::ArrayIndex => "the index is below the length",
            Self::Inside => "the place lies inside",
            Self::ClampBounds => "the bounds are in order",
        }
    }
}

/// Where a demand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DemandId {
    /// An operation's own.
    Node(ValueId),
    /// The index of one of the body's obligations.
    Demand(usize),
}

/// How a demand was shown to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The operands' intervals.
    Interval,
    /// Intervals that a path condition narrowed.
    Path,
    /// The values as polynomials over what they were computed from.
    Polynomial,
    /// Order facts: of path conditions, requirements and builtins.
    Order,
    /// No input reaches the place.
    Unreachable,
}

/// A demand that holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    pub(super) place: DemandId,
    pub(super) rule: Rule,
    pub(super) how: How,
    /// The interval that satisfies it.
    pub(super) found: Interval,
}

/// A demand that could not be shown to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) place: DemandId,
    pub(super) rule: Rule,
    pub(super) context: ContextId,
    /// What the value can be, as far as known.
    pub(super) found: Interval,
    /// What it would have to be.
    pub(super) allowed: Interval,
    /// What it could be if nothing before it had been cut to its type.
    pub(super) ideal: Interval,
}
