//! Sums whose terms are 0 but in one element of a row.

use super::Survey;
use crate::ir::loops::Loop;
use crate::ir::{AxisId, BinaryOp, CastMode, Constant, Op, Order, Overflow, Type, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// A loop, and those inside it, whose variables are sums of such terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scatter {
    /// What a turn adds, of each of these loops, by its turn.
    pub deposits: BTreeMap<ValueId, Vec<Deposit>>,
    /// The byte of an input on which alone depends what the turns add and where, if there is one: then it is enough to count bytes.
    pub byte: Option<Byte>,
}

/// A byte on which depends what a turn adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Byte {
    /// The element of the input.
    pub element: ValueId,
    /// What is computed from it, in order.
    pub from: Vec<ValueId>,
    /// Whether its column is the turn, wherever that is one of the input's.
    pub is_in_a_row: bool,
}

/// What a turn adds to one element of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// The sum: the variable of the outermost loop that it is added to.
    pub sum: ValueId,
    /// The element is the one whose coordinate, plus `offset`, is this value.
    pub at: ValueId,
    /// Added to the coordinate.
    pub offset: i64,
    /// It is added where all of these hold.
    pub conditions: Vec<ValueId>,
    /// What is added, of whatever width; 1 where there is none.
    pub value: Option<ValueId>,
}

/// A term of a sum before it is known whose.
struct Term {
    at: ValueId,
    offset: i64,
    conditions: Vec<ValueId>,
    value: Option<ValueId>,
}

/// What the turns of a loop add, where all of its variables that elements do not share are such sums.
pub(super) fn scatter(survey: &Survey<'_>, turns: &Loop) -> Option<Scatter> {
    let mut scatter = Scatter::default();
    for variable in turns.variables.iter().filter(|variable| survey.along(variable.carried).has(AxisId::X)) {
        let begins_alike = !survey.along(variable.before).has(AxisId::X);
        if !begins_alike || !survey.adds(turns, variable.carried, variable.carried, &mut scatter) {
            return None;
        }
    }
    let deposits = scatter.deposits.values().map(Vec::len).sum::<usize>();
    scatter.byte = survey.byte(turns, &scatter);
    (deposits > 0).then_some(scatter)
}

impl Survey<'_> {
    /// Whether all that a loop does to its variable `own` is to add such terms, which are added to `sum`.
    fn adds(&self, turns: &Loop, own: ValueId, sum: ValueId, scatter: &mut Scatter) -> bool {
        let Op::Turn { order: Order::Written, .. } = self.node(turns.turn).op else { return false };
        let Some(variable) = turns.variables.iter().find(|variable| variable.carried == own) else { return false };
        if !self.node(own).ty.is_integer() || self.along(turns.turn).has(AxisId::X) {
            return false;
        }
        let after = variable.after;
        // A loop inside goes on with the sum, or has one of its own that is added to it.
        if let Some((inner, carried)) = self.outcome(turns, after) {
            let begins = inner.variables.iter().any(|own| own.carried == carried && own.before == variable.carried);
            return begins && self.adds(inner, carried, sum, scatter);
        }
        if let Some(term) = self.added_to(after, own)
            && let Some((inner, carried)) = self.outcome(turns, term)
        {
            let is_zero = |id: ValueId| self.node(id).op == Op::Constant(Constant::Int(0));
            let begins = inner.variables.iter().any(|own| own.carried == carried && is_zero(own.before));
            return begins && self.adds(inner, carried, sum, scatter);
        }
        let Some(Term { at, offset, conditions, value }) = self.addend(after, own) else { return false };
        scatter.deposits.entry(turns.turn).or_default().push(Deposit { sum, at, offset, conditions, value });
        true
    }

    /// The loop right inside another whose outcome a value is, and of which variable.
    fn outcome<'l>(&self, turns: &'l Loop, id: ValueId) -> Option<(&'l Loop, ValueId)> {
        let Op::Outcome { carried, .. } = self.node(id).op else { return None };
        let of = |own: &&Loop| own.variables.iter().any(|variable| variable.carried == carried);
        self.inside(turns).find(of).map(|inner| (inner, carried))
    }

    /// What is added to a sum.
    pub(super) fn added_to(&self, after: ValueId, sum: ValueId) -> Option<ValueId> {
        match self.node(after).op {
            Op::Binary(BinaryOp::Add(Overflow::Never | Overflow::Wrap), a, b) if a == sum => Some(b),
            Op::Binary(BinaryOp::Add(Overflow::Never | Overflow::Wrap), a, b) if b == sum => Some(a),
            _ => None,
        }
    }

    /// The term that is added to a sum in one element alone.
    fn addend(&self, after: ValueId, sum: ValueId) -> Option<Term> {
        if let Op::Select { condition, then, otherwise } = self.node(after).op
            && otherwise == sum
        {
            let term = self.condition(condition)?;
            let value = self.added_to(then, sum).filter(|&value| !self.along(value).has(AxisId::X))?;
            return Some(Term { value: Some(value), ..term });
        }
        self.term(self.added_to(after, sum)?)
    }

    /// A value that is 0 but in one element.
    fn term(&self, id: ValueId) -> Option<Term> {
        match self.node(id).op {
            Op::Cast(CastMode::Value, a) if self.node(a).ty == Type::BOOL => self.condition(a),
            Op::Cast(CastMode::Value, a) if self.node(a).ty.is_integer() => self.term(a),
            // Of whatever width, 1 is 1.
            Op::Cast(CastMode::Wrapping, a) => self.term(a).filter(|term| term.value.is_none()),
            Op::Select { condition, then, otherwise } => {
                let is_zero = self.node(otherwise).op == Op::Constant(Constant::Int(0));
                if !is_zero || self.along(then).has(AxisId::X) {
                    return None;
                }
                Some(Term { value: Some(then), ..self.condition(condition)? })
            }
            _ => None,
        }
    }

    /// A condition that holds in no more than one element.
    fn condition(&self, id: ValueId) -> Option<Term> {
        let is_fixed = |id: ValueId| !self.along(id).has(AxisId::X);
        match self.node(id).op {
            Op::Binary(BinaryOp::Eq, a, b) => {
                let (at, coordinate) = if is_fixed(a) { (a, b) } else { (b, a) };
                let offset = self.coordinate(coordinate)?;
                is_fixed(at).then(|| Term { at, offset, conditions: Vec::new(), value: None })
            }
            Op::Binary(BinaryOp::And, a, b) => {
                let (own, other) = if is_fixed(a) { (b, a) } else { (a, b) };
                let mut term = self.condition(own)?;
                term.conditions.push(other);
                is_fixed(other).then_some(term)
            }
            _ => None,
        }
    }

    /// The byte on which depends all that the turns of these loops add, where they do nothing else.
    fn byte(&self, turns: &Loop, scatter: &Scatter) -> Option<Byte> {
        let mut innermost = turns;
        while let Some(inner) = self.inside(innermost).next() {
            let only_sums = innermost.variables.iter().all(|variable| self.along(variable.carried).has(AxisId::X));
            if !only_sums || self.inside(innermost).count() > 1 || scatter.deposits.contains_key(&innermost.turn) {
                return None;
            }
            innermost = inner;
        }
        if !innermost.variables.iter().all(|variable| self.along(variable.carried).has(AxisId::X)) {
            return None;
        }
        let Op::Turn { axis, .. } = self.node(innermost.turn).op else { return None };
        let deposits = scatter.deposits.get(&innermost.turn)?;
        let read = |own: &Deposit| own.conditions.iter().copied().chain([own.at]).chain(own.value).collect::<Vec<_>>();
        let mut wanted: Vec<ValueId> = deposits.iter().flat_map(read).collect();
        let (mut from, mut element) = (BTreeSet::new(), None);
        while let Some(id) = wanted.pop() {
            if !self.along(id).has(axis) {
                // What only other loops change is read when they have ended.
                if !self.along(id).of_loops().is_empty() {
                    return None;
                }
                continue;
            }
            match self.node(id).op {
                Op::Gather { .. } if self.node(id).ty == Type::U8 && element.is_none_or(|own| own == id) => {
                    element = Some(id);
                }
                Op::Unary(..)
                | Op::Binary(..)
                | Op::MulAdd(..)
                | Op::Select { .. }
                | Op::Cast(..)
                | Op::Lookup { .. } => {
                    if from.insert(id) {
                        self.node(id).op.for_operands(|operand| wanted.push(operand));
                    }
                }
                _ => return None,
            }
        }
        let element = element?;
        let is_in_a_row = self.is_in_a_row(element, innermost.turn, axis);
        Some(Byte { element, from: from.into_iter().collect(), is_in_a_row })
    }

    /// Whether an element's column is the turn of a loop, but for the bounds that keep it inside, and nothing else of its place
    /// varies along the loop.
    pub(super) fn is_in_a_row(&self, element: ValueId, turn: ValueId, axis: AxisId) -> bool {
        let Op::Gather { input, channel: 0, plane, at: [row, mut column] } = self.node(element).op else {
            return false;
        };
        if plane.into_iter().chain([row]).any(|id| self.along(id).has(axis)) {
            return false;
        }
        let is_zero = |id: ValueId| self.node(id).op == Op::Constant(Constant::Int(0));
        let dimension = self.kernel.inputs[input.0 as usize].dimensions() - 1;
        let width = Op::Extent { input, dimension };
        let is_last = |id: ValueId| match self.node(id).op {
            Op::Binary(BinaryOp::Sub(_), own, one) => {
                self.node(own).op == width && self.node(one).op == Op::Constant(Constant::Int(1))
            }
            _ => false,
        };
        while column != turn {
            column = match self.node(column).op {
                Op::Binary(BinaryOp::Max, a, b) if is_zero(b) => a,
                Op::Binary(BinaryOp::Min, a, b) if is_last(b) => a,
                _ => return false,
            };
        }
        true
    }

    /// What is added to a coordinate along the row, for a value that is such a sum.
    fn coordinate(&self, id: ValueId) -> Option<i64> {
        match self.node(id).op {
            Op::Coordinate { axis: AxisId::X, offset } => Some(i64::from(offset)),
            Op::Cast(CastMode::Value, a) if self.node(a).ty.is_integer() => self.coordinate(a),
            Op::Binary(BinaryOp::Add(Overflow::Never), a, b) => Some(self.coordinate(a)? + self.small(b)?),
            Op::Binary(BinaryOp::Sub(Overflow::Never), a, b) => Some(self.coordinate(a)? - self.small(b)?),
            _ => None,
        }
    }

    /// A constant that is added to a coordinate.
    fn small(&self, id: ValueId) -> Option<i64> {
        match self.node(id).op {
            Op::Constant(Constant::Int(value)) => i64::try_from(value).ok().filter(|value| value.abs() <= 1 << 20),
            _ => None,
        }
    }
}
