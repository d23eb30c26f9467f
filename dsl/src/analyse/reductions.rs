//! What an author reads where a `sum(..)` may leave its type: it has no operator whose overflow could be said, and what matters is all
//! that its terms may add up to.

use super::demand::DemandId;
use super::messages::Writer;
use crate::ir::Overflow::{Never, Saturate};
use crate::ir::range::{Interval, limits};
use crate::ir::{BinaryOp, Op, Type, ValueId, legal};

/// A sum that fails: a term, and how many there may be.
pub(super) struct Reduction {
    term: ValueId,
    terms: i128,
    /// What the terms may add up to.
    total: Interval,
}

impl Writer<'_, '_> {
    /// The sum whose addition fails: it stands where the sum does, as its variable does.
    pub(super) fn reduction(&self) -> Option<Reduction> {
        let (body, DemandId::Node(id)) = (self.analysis.body, self.failure.place) else { return None };
        let Op::Binary(BinaryOp::Add(Never), variable, term) = body.node(id).op else { return None };
        let Op::Carried { turn, .. } = body.node(variable).op else { return None };
        let Op::Turn { start, end, .. } = body.node(turn).op else { return None };
        let place = |value: ValueId| body.node(value).span.start();
        if place(id) != place(variable) {
            return None;
        }
        let known = |value: ValueId| self.analysis.interval_of(value, self.failure.context);
        let (terms, one) = ((known(end).hi - known(start).lo).max(1), self.operand_ideal(term));
        let total = Interval::new(one.lo.min(one.lo.saturating_mul(terms)), one.hi.max(one.hi.saturating_mul(terms)));
        Some(Reduction { term, terms, total })
    }

    /// The sum, as the author wrote it where its term has a short text.
    pub(super) fn reduction_text(&self, sum: &Reduction) -> String {
        match self.names.short(sum.term) {
            Some(term) => format!("sum(.., {term})"),
            None => String::from("sum"),
        }
    }

    pub(super) fn reduction_note(&self, sum: &Reduction) -> String {
        let (ty, allowed) = (self.ty().name(), self.failure.allowed);
        format!(
            "up to {} terms in {} add up to {}; {ty} holds {allowed}",
            sum.terms,
            self.operand_ideal(sum.term),
            sum.total
        )
    }

    /// A type that holds the whole sum, or a loop whose additions say what happens.
    pub(super) fn reduction_ways(&self, sum: &Reduction) -> Vec<String> {
        let own = self.ty();
        let wider = [Type::U16, Type::I16, Type::U32, Type::I32, Type::U64, Type::I64].into_iter().find(|ty| {
            *ty != own
                && (ty.is_signed() >= own.is_signed())
                && limits(*ty).is_some_and(|limits| limits.contains(&sum.total))
        });
        // The language may lack the second for 64 bits.
        let saturates = legal::binary(BinaryOp::Add(Saturate), own).is_some();
        let or_saturates = if saturates { " or `saturating_add`" } else { "" };
        let in_a_loop = format!("write a `for` loop that adds by `wrapping_add`{or_saturates}");
        let wider = wider.map(|ty| match self.names.widened_text(sum.term, ty) {
            Some(term) => format!("widen the term: `{term}`"),
            None => format!("widen the term to {}", ty.name()),
        });
        wider.into_iter().chain([in_a_loop]).collect()
    }
}
