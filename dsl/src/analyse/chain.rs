//! Chains of failures: where `a + b` can overflow, `a + b + c` mostly can too. That is one mistake, shown at its first
//! operator and mended as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::context::ContextId;
use super::demand::{DemandId, Failure, Rule};
use super::integers;
use super::messages::Writer;
use super::names::Names;
use super::remedies::wider;
use crate::ir::Overflow::Never;
use crate::ir::range::Interval;
use crate::ir::{BinaryOp, Op, Type, ValueId};

/// The longest expression that is written out anew.
const MAX_LENGTH: usize = 160;
/// The most parts that it may have.
const MAX_PARTS: usize = 40;

/// The chains of one body's failures.
#[derive(Default)]
pub(super) struct Chains {
    /// Of each failure in a chain: the whole expression, its operands widened.
    widened: BTreeMap<ValueId, String>,
    /// The failures behind the first ones.
    followers: BTreeSet<ValueId>,
}

impl Chains {
    /// Finds the chains.
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let failing: BTreeMap<ValueId, ContextId> =
            analysis.failures.iter().filter_map(|f| sum_of(analysis, f)).collect();
        let mut user: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        let mut chains = Self::default();
        for &id in failing.keys() {
            for operand in
                analysis.body.node(id).op.operands().into_iter().filter(|operand| failing.contains_key(operand))
            {
                if analysis.body.node(operand).name.is_none() && operand != id {
                    user.insert(operand, id);
                    chains.followers.insert(id);
                }
            }
        }
        for (&id, &context) in &failing {
            let mut whole = id;
            while let Some(next) = user.get(&whole) {
                whole = *next;
            }
            if whole != id || chains.followers.contains(&id) {
                chains.widened.extend(widened(analysis, whole, context).map(|text| (id, text)));
            }
        }
        chains
    }

    /// Whether a failure is told by another one's message: the chain's first is mended as a whole.
    pub(super) fn is_told(&self, failure: &Failure) -> bool {
        self.is_follower(failure) && self.widened(failure).is_some()
    }

    /// Whether an operand of the same expression fails too.
    pub(super) fn is_follower(&self, failure: &Failure) -> bool {
        matches!(failure.place, DemandId::Node(id) if self.followers.contains(&id)) && failure.rule == Rule::Overflow
    }

    /// The whole expression with its operands widened.
    pub(super) fn widened(&self, failure: &Failure) -> Option<&str> {
        match failure.place {
            DemandId::Node(id) => self.widened.get(&id).map(String::as_str),
            DemandId::Demand(_) => None,
        }
    }
}

impl Writer<'_, '_> {
    /// The way out for a whole chain.
    pub(super) fn chain_widening(&self) -> Option<String> {
        self.chains.widened(self.failure).map(|text| format!("widen the operands: `{text}`"))
    }
}

fn sum_of(analysis: &Analysis<'_>, failure: &Failure) -> Option<(ValueId, ContextId)> {
    let DemandId::Node(id) = failure.place else { return None };
    let is_sum = is_sum(&analysis.body.node(id).op) && failure.rule == Rule::Overflow;
    is_sum.then_some((id, failure.context))
}

/// Whether it is a sum, a difference or a product that must fit its type.
pub(super) fn is_sum(op: &Op) -> bool {
    matches!(op, Op::Binary(BinaryOp::Add(Never) | BinaryOp::Sub(Never) | BinaryOp::Mul(Never), ..))
}

/// `a as u16 + b as u16 + c as u16`, where one type holds all values on the way.
fn widened(analysis: &Analysis<'_>, whole: ValueId, context: ContextId) -> Option<String> {
    let mut chain = Chain { analysis, context, ty: analysis.body.node(whole).ty, all: Interval::point(0), parts: 0 };
    chain.exact(whole, true)?;
    let names = Names::new(analysis.kernel, analysis.body);
    names.widened_chain(whole, wider(chain.ty, chain.all)?).filter(|text| text.len() <= MAX_LENGTH)
}

/// A walk over an expression.
struct Chain<'a, 'b> {
    analysis: &'a Analysis<'b>,
    context: ContextId,
    ty: Type,
    /// What all parts can be together.
    all: Interval,
    /// How many there were.
    parts: usize,
}

impl Chain<'_, '_> {
    /// The interval of an expression if nothing in it is cut to its type; `None` where it has too many parts.
    fn exact(&mut self, id: ValueId, is_whole: bool) -> Option<Interval> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let node = self.analysis.body.node(id);
        let found = match node.op {
            Op::Binary(op, a, b) if is_sum(&node.op) && (is_whole || node.name.is_none()) => {
                integers::binary(op, self.ty, self.exact(a, false)?, self.exact(b, false)?, a == b)
            }
            _ => self.analysis.interval_of(id, self.context),
        };
        self.all = self.all.hull(found);
        Some(found)
    }
}
