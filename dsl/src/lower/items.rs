//! Iterators as values: what is left to give.

use super::value::{Scalar, Value};
use crate::ir::Type;
use crate::syntax::Expr;
use std::rc::Rc;

/// `start..end`, at least one of which is computed.
pub(super) struct Ends<'a> {
    /// The type of the items.
    pub ty: Type,
    pub start: Scalar,
    /// Behind the last.
    pub end: Scalar,
    /// The range, as the author wrote it.
    pub place: &'a Expr,
}

/// An iterator in progress.
#[derive(Clone)]
pub enum Iter<'a> {
    /// The integers from `next` to before `end`.
    Range {
        /// Their type.
        ty: Type,
        /// The next one.
        next: i128,
        /// One past the last.
        end: i128,
    },
    /// The integers between two ends that are computed: only a `for` takes them.
    AtRunTime(Rc<Ends<'a>>),
    /// The elements of an array from `next` to before `end`.
    Elements {
        /// The array.
        array: Rc<Vec<Value<'a>>>,
        /// The next one.
        next: usize,
        /// One past the last.
        end: usize,
    },
    /// Pairs.
    Zip(Box<Iter<'a>>, Box<Iter<'a>>),
    /// Items with their number.
    Enumerate(Box<Iter<'a>>, i128),
    /// From the back.
    Rev(Box<Iter<'a>>),
    /// `skip(n)`.
    Skip(Box<Iter<'a>>, u64),
    /// `take(n)`.
    Take(Box<Iter<'a>>, u64),
    /// `step_by(n)`: the step, and whether the first item is still pending.
    StepBy(Box<Iter<'a>>, u64, bool),
    /// What a function makes of each item; the call that asked for it.
    Map(Box<Iter<'a>>, Box<Value<'a>>, &'a Expr),
}

impl<'a> Iter<'a> {
    /// How many items are left.
    pub fn len(&self) -> u64 {
        match self {
            Self::Range { next, end, .. } => end.saturating_sub(*next).max(0) as u64,
            Self::AtRunTime(_) => 0,
            Self::Elements { next, end, .. } => end.saturating_sub(*next) as u64,
            Self::Zip(a, b) => a.len().min(b.len()),
            Self::Enumerate(inner, _) | Self::Rev(inner) | Self::Map(inner, ..) => inner.len(),
            Self::Skip(inner, n) => inner.len().saturating_sub(*n),
            Self::Take(inner, n) => inner.len().min(*n),
            Self::StepBy(inner, step, first) if *first => inner.len().div_ceil((*step).max(1)),
            Self::StepBy(inner, step, _) => inner.len() / (*step).max(1),
        }
    }
}
