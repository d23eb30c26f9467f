//! Values that have nothing to do with each other: what order says of their difference is what it says of each.
//!
//! A fact about a value names what the value is computed from. Where two values are computed from nothing in common, and no
//! condition around has a fact, no chain of facts leads from one to the other; so each is looked at alone, once for all
//! that it is compared with.

use super::analysis::Analysis;
use super::context::ContextId;
use super::integers::{add, multiply};
use super::polynomial::Polynomial;
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::range::{Interval, Range};
use crate::ir::{BinaryOp, Node, Op, ValueId};

/// What the facts about each value may name: a bit for each value, 64 in a word.
#[derive(Debug, Default)]
pub(super) struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    fn of(&self, value: ValueId) -> &[u64] {
        &self.bits[value.0 as usize * self.words..][..self.words]
    }

    /// Adds what the next value names: itself, and what each of these does.
    fn push(&mut self, own: &[ValueId], through: &[ValueId]) {
        let start = self.bits.len();
        self.bits.resize(start + self.words, 0);
        let (known, new) = self.bits.split_at_mut(start);
        for id in own {
            new[id.0 as usize / 64] |= 1 << (id.0 % 64);
        }
        for id in through {
            let from = id.0 as usize * self.words;
            let mut word = 0;
            while word < new.len() {
                new[word] |= known[from + word];
                word += 1;
            }
        }
    }
}

impl Analysis<'_> {
    /// What order says of a difference of two values, each looked at alone; none where they have something in common.
    pub(super) fn apart(&mut self, difference: &Polynomial, context: ContextId) -> Option<Interval> {
        let (less, greater, _) = difference.as_difference()?;
        if self.ancestors(context).any(|own| !own.facts.is_empty()) || self.shares_facts(less, greater) {
            return None;
        }
        let mut sum = Interval::point(0);
        for (monomial, factor) in difference.terms() {
            let values = monomial.atoms().next().map_or(Interval::point(1), |atom| self.glance(atom, context));
            sum = add(sum, multiply(values, Interval::point(*factor), false));
        }
        Some(sum)
    }

    /// Whether a comparison that may go either way has nothing to do with what is chosen by it: both sides are what they are
    /// elsewhere.
    pub(super) fn says_nothing(&mut self, condition: ValueId, sides: [ValueId; 2], context: ContextId) -> bool {
        let both = Range::Bool { can_be_false: true, can_be_true: true };
        let Op::Binary(op, a, _) = self.body.node(condition).op else { return false };
        op.comparison().is_some()
            && self.body.node(a).ty.is_integer()
            && self.range_of(condition, context) == both
            && self.ancestors(context).all(|own| own.facts.is_empty() && own.known.first.is_none())
            && sides.iter().all(|side| self.body.node(*side).op.is_leaf())
            && sides.into_iter().all(|side| !self.shares_facts(condition, side))
    }

    /// What order says of one value.
    fn glance(&mut self, value: ValueId, context: ContextId) -> Interval {
        if let Some(known) = self.glances.get(&(value, context)) {
            return *known;
        }
        let polynomial = Polynomial::atom(value);
        let known = self.polynomial_interval(&polynomial, context);
        let found = self.glance_at(&polynomial, context, known);
        self.glances.insert((value, context), found);
        found
    }

    /// Whether facts about two values may name a third.
    fn shares_facts(&mut self, a: ValueId, b: ValueId) -> bool {
        self.reach_until(a.max(b));
        let (a, b) = (self.reach.of(a), self.reach.of(b));
        let mut word = 0;
        while word < a.len() && a[word] & b[word] == 0 {
            word += 1;
        }
        word < a.len()
    }

    /// Whether what a window says of coordinates may name a value.
    fn is_of_window(&self, op: &Op) -> bool {
        self.kernel.window.is_some() && matches!(op, Op::Coordinate { .. } | Op::Extent { .. } | Op::Uniform { .. })
    }

    /// Finds what facts may name about all values up to one.
    fn reach_until(&mut self, last: ValueId) {
        self.reach.words = self.body.nodes.len().div_ceil(64);
        let (mut own, mut through) = (Vec::new(), Vec::new());
        // The first coordinate stands for what a window says of all of them.
        let is_coordinate = |node: &Node| matches!(node.op, Op::Coordinate { .. });
        let window = self.body.nodes.iter().position(is_coordinate).map(|place| ValueId(place as u32));
        for id in (self.reach.bits.len() / self.reach.words.max(1))..=last.0 as usize {
            own.clear();
            through.clear();
            let op = &self.body.nodes[id].op;
            // A constant is no atom: it is in any polynomial.
            if !matches!(op, Op::Constant(_)) {
                own.extend([ValueId(id as u32), self.canon[id]]);
            }
            if self.is_of_window(op) {
                own.extend(window);
            }
            let atoms = self.polynomial_of(ValueId(id as u32), self.homes[id]).atoms();
            through.extend(atoms.into_iter().filter(|atom| (atom.0 as usize) < id));
            if has_facts(op) {
                op.for_operands(|operand| through.push(operand));
            }
            self.reach.push(&own, &through);
        }
    }
}

/// Whether a value is known by facts, or by cases, that name its operands.
fn has_facts(op: &Op) -> bool {
    match op {
        Op::Binary(
            BinaryOp::Add(Never | Wrap) | BinaryOp::Sub(Never | Wrap) | BinaryOp::Mul(_) | BinaryOp::Shl(_),
            ..,
        ) => false,
        Op::Unary(..) | Op::Binary(..) | Op::Select { .. } | Op::Cast(..) => true,
        _ => false,
    }
}
