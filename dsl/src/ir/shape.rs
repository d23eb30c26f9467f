//! The shape of operations: what they read, and how they are related. What an operation *is* stands here, once.

use super::Overflow::{Never, Wrap};
use super::{BinaryOp, CastMode, Constant, Op, Type, UnaryOp, ValueId};
use std::ops::{Deref, DerefMut};

/// The values that an operation reads, in order; a list of at most three.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    list: [ValueId; 3],
    count: usize,
}

impl Deref for Operands {
    type Target = [ValueId];
    fn deref(&self) -> &[ValueId] {
        &self.list[..self.count]
    }
}

impl DerefMut for Operands {
    fn deref_mut(&mut self) -> &mut [ValueId] {
        &mut self.list[..self.count]
    }
}

impl IntoIterator for Operands {
    type Item = ValueId;
    type IntoIter = std::iter::Take<std::array::IntoIter<ValueId, 3>>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter().take(self.count)
    }
}

impl Op {
    /// The values that it reads, in order.
    pub fn operands(&self) -> Operands {
        let none = ValueId(0);
        let (list, count) = match *self {
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Derived { .. } => ([none; 3], 0),
            Op::Lookup { index: a, .. }
            | Op::Plane { index: a, outside: None, .. }
            | Op::Fetch { offset: a, .. }
            | Op::Across { value: a, .. }
            | Op::Local { value: a, .. }
            | Op::Unary(_, a)
            | Op::Cast(_, a) => ([a, none, none], 1),
            Op::Binary(_, a, b)
            | Op::Plane { index: a, outside: Some(b), .. }
            | Op::Gather { at: [a, b], plane: None, .. }
            | Op::Turn { start: a, end: b, .. }
            | Op::Carried { turn: a, before: b, .. }
            | Op::Outcome { end: a, carried: b } => ([a, b, none], 2),
            Op::MulAdd(a, b, c)
            | Op::Gather { at: [a, b], plane: Some(c), .. }
            | Op::Contiguous { row: a, first: b, last: c, .. }
            | Op::Select { condition: a, then: b, otherwise: c }
            | Op::Advance { carried: a, after: b, rest: c } => ([a, b, c], 3),
        };
        Operands { list, count }
    }

    /// Visits the values that it reads, in order.
    pub fn for_operands(&self, mut visit: impl FnMut(ValueId)) {
        match *self {
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Derived { .. } => {}
            Op::Lookup { index: a, .. }
            | Op::Fetch { offset: a, .. }
            | Op::Across { value: a, .. }
            | Op::Local { value: a, .. }
            | Op::Unary(_, a)
            | Op::Cast(_, a) => visit(a),
            Op::Plane { .. } | Op::Gather { .. } => self.operands().into_iter().for_each(visit),
            Op::Binary(_, a, b)
            | Op::Turn { start: a, end: b, .. }
            | Op::Carried { turn: a, before: b, .. }
            | Op::Outcome { end: a, carried: b } => {
                visit(a);
                visit(b);
            }
            Op::MulAdd(a, b, c)
            | Op::Contiguous { row: a, first: b, last: c, .. }
            | Op::Select { condition: a, then: b, otherwise: c }
            | Op::Advance { carried: a, after: b, rest: c } => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }

    /// The same operation on other values, each operand passed through `map`, in order.
    pub fn map_operands(&self, mut map: impl FnMut(ValueId) -> ValueId) -> Op {
        match *self {
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Derived { .. } => self.clone(),
            Op::Lookup { table, index } => Op::Lookup { table, index: map(index) },
            Op::Plane { input, dimension, outside, index } => {
                Op::Plane { input, dimension, index: map(index), outside: outside.map(map) }
            }
            Op::Gather { input, channel, plane, at: [row, column] } => {
                Op::Gather { input, channel, at: [map(row), map(column)], plane: plane.map(map) }
            }
            Op::Fetch { input, channel, offset } => Op::Fetch { input, channel, offset: map(offset) },
            Op::Contiguous { input, row, first, last, axis } => {
                Op::Contiguous { input, row: map(row), first: map(first), last: map(last), axis }
            }
            Op::Across { op, value } => Op::Across { op, value: map(value) },
            Op::Local { value, axis, offset } => Op::Local { value: map(value), axis, offset },
            Op::Unary(op, a) => Op::Unary(op, map(a)),
            Op::Binary(op, a, b) => Op::Binary(op, map(a), map(b)),
            Op::MulAdd(a, b, c) => Op::MulAdd(map(a), map(b), map(c)),
            Op::Select { condition, then, otherwise } => {
                Op::Select { condition: map(condition), then: map(then), otherwise: map(otherwise) }
            }
            Op::Cast(mode, a) => Op::Cast(mode, map(a)),
            Op::Turn { axis, start, end, order } => Op::Turn { axis, start: map(start), end: map(end), order },
            Op::Carried { turn, before, index } => Op::Carried { turn: map(turn), before: map(before), index },
            Op::Advance { carried, after, rest } => {
                Op::Advance { carried: map(carried), after: map(after), rest: map(rest) }
            }
            Op::Outcome { end, carried } => Op::Outcome { end: map(end), carried: map(carried) },
        }
    }

    /// Whether it reads no value: it is the same under every path condition.
    pub fn is_leaf(&self) -> bool {
        match self {
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Derived { .. } => true,
            Op::Lookup { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Cast(..)
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => false,
        }
    }

    /// Whether it belongs to a loop at run time, rather than being computed from its operands alone.
    pub fn is_of_loop(&self) -> bool {
        matches!(self, Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. })
    }

    /// Whether nothing computes it: it is a constant, a uniform or a derived word.
    pub fn is_word(&self) -> bool {
        matches!(self, Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. })
    }

    /// The integer that it is, where it is a constant one.
    pub fn integer(&self) -> Option<i128> {
        match *self {
            Op::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether it is a sum or a difference, checked or wrapping.
    pub fn is_sum(&self) -> bool {
        matches!(self, Op::Binary(op, ..) if op.is_sum())
    }

    /// Whether it is a product, checked or wrapping.
    pub fn is_product(&self) -> bool {
        matches!(self, Op::Binary(op, ..) if op.is_product())
    }

    /// The form that is defined on all operands: what a checked operation and its wrapping one have in common.
    pub fn wrapping(&self) -> Op {
        match *self {
            Op::Binary(op, a, b) => Op::Binary(op.wrapping(), a, b),
            Op::Unary(op, a) => Op::Unary(op.wrapping(), a),
            Op::Cast(CastMode::Value, a) => Op::Cast(CastMode::Wrapping, a),
            _ => self.clone(),
        }
    }

    /// Whether it says more than its wrapping form: that nothing leaves the type.
    pub fn is_checked(&self) -> bool {
        match *self {
            Op::Binary(op, ..) => op.overflow() == Some(Never),
            Op::Unary(op, _) => op.overflow() == Some(Never),
            Op::Cast(mode, _) => mode == CastMode::Value,
            _ => false,
        }
    }
}

impl UnaryOp {
    /// Whether it counts bits: the result is a u32, whatever the type of the operand.
    pub fn counts_bits(self) -> bool {
        matches!(self, UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros)
    }

    /// The form that is defined on all operands.
    pub fn wrapping(self) -> Self {
        if self.overflow() == Some(Never) { self.with(Wrap) } else { self }
    }
}

impl BinaryOp {
    /// Whether the operands may change places.
    pub fn commutes(self) -> bool {
        use BinaryOp::*;
        match self {
            Add(_) | Mul(_) | And | Or | Xor | Min | Max | AbsDiff | HalvingAdd | RoundingHalvingAdd | MulHigh | Eq
            | Ne => true,
            Sub(_) | Div | Rem | Shl(_) | Shr | RoundingShr | Lt | Le | Gt | Ge => false,
        }
    }

    /// The form that is defined on all operands.
    pub fn wrapping(self) -> Self {
        if self.overflow() == Some(Never) { self.with(Wrap) } else { self }
    }

    /// The comparison that says the same with its sides exchanged, where that is another one.
    pub fn mirrored(self) -> Option<Self> {
        match self {
            BinaryOp::Lt => Some(BinaryOp::Gt),
            BinaryOp::Le => Some(BinaryOp::Ge),
            BinaryOp::Gt => Some(BinaryOp::Lt),
            BinaryOp::Ge => Some(BinaryOp::Le),
            _ => None,
        }
    }

    /// The comparison of values of type `ty` that is true where this one is false. With floats, a NaN makes both `<` and
    /// `>=` false.
    pub fn inverse(self, ty: Type) -> Option<Self> {
        match self {
            BinaryOp::Eq => Some(BinaryOp::Ne),
            BinaryOp::Ne => Some(BinaryOp::Eq),
            BinaryOp::Lt if !ty.is_float() => Some(BinaryOp::Ge),
            BinaryOp::Le if !ty.is_float() => Some(BinaryOp::Gt),
            BinaryOp::Gt if !ty.is_float() => Some(BinaryOp::Le),
            BinaryOp::Ge if !ty.is_float() => Some(BinaryOp::Lt),
            _ => None,
        }
    }

    /// Whether the right operand is an amount of bits: a u32, whatever the type of the left.
    pub fn shifts(self) -> bool {
        matches!(self, BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr)
    }

    /// Whether it is a sum or a difference, checked or wrapping.
    pub fn is_sum(self) -> bool {
        matches!(self, BinaryOp::Add(Never | Wrap) | BinaryOp::Sub(Never | Wrap))
    }

    /// Whether it is a difference, checked or wrapping.
    pub fn is_difference(self) -> bool {
        matches!(self, BinaryOp::Sub(Never | Wrap))
    }

    /// Whether it is a product, checked or wrapping.
    pub fn is_product(self) -> bool {
        matches!(self, BinaryOp::Mul(Never | Wrap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_in_order_and_replaced() {
        let id = ValueId;
        let choice = Op::Select { condition: id(3), then: id(1), otherwise: id(2) };
        assert_eq!(choice.operands().into_iter().collect::<Vec<_>>(), [id(3), id(1), id(2)]);
        let moved = choice.map_operands(|own| id(own.0 + 10));
        assert_eq!(*moved.operands(), [id(13), id(11), id(12)]);
        let mut seen = Vec::new();
        moved.for_operands(|own| seen.push(own));
        assert_eq!(seen, *moved.operands());
        assert!(
            Op::Derived { index: 1, bounds: None }.operands().is_empty()
                && Op::Derived { index: 1, bounds: None }.is_leaf()
        );
    }

    #[test]
    fn comparisons_have_opposites() {
        use BinaryOp::*;
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            assert_eq!(op.inverse(Type::U8).and_then(|inverse| inverse.inverse(Type::U8)), Some(op));
            assert_eq!(op.mirrored().unwrap_or(op).mirrored().unwrap_or(op), op);
        }
        assert_eq!((Lt.inverse(Type::F32), Ne.inverse(Type::F32)), (None, Some(Eq)));
    }
}
