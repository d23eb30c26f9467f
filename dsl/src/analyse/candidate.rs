//! A node as a polynomial over what its operands are polynomials over, if it gives the exact integer.
//!
//! Whether it does is not decided here for the operations that Rust checks: their obligation decides it. Operations
//! that wrap, saturate or choose are seen through only where their operands' ranges leave them nothing to do.

use super::analysis::Analysis;
use super::context::ContextId;
use super::integers;
use super::polynomial::Polynomial;
use super::transfer::last_bit;
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::range::{Interval, Range, limits};
use crate::ir::{BinaryOp, CastMode, Op, Type, UnaryOp, ValueId};
use std::rc::Rc;

impl Analysis<'_> {
    /// The polynomial of a node in `context`, its operands' ranges given. `None`: it is an atom.
    pub(super) fn candidate(
        &self,
        id: ValueId,
        context: ContextId,
        get: &impl Fn(ValueId) -> Range,
    ) -> Option<Rc<Polynomial>> {
        let node = self.body.node(id);
        let limits = limits(node.ty)?;
        let of = |value: ValueId| self.polynomial_of(value, context);
        let interval = |value: ValueId| get(value).as_int().map(|(lo, hi)| Interval::new(lo, hi));
        match node.op {
            Op::Unary(op, x) => unary(op, &of(x), interval(x)?, limits).map(Rc::new),
            Op::Binary(op, a, b) => self.binary(op, node.ty, [(a, interval(a)?), (b, interval(b)?)], context),
            Op::Cast(CastMode::Value, x) => interval(x).map(|_| of(x)),
            Op::Cast(CastMode::Wrapping | CastMode::Saturating, x) => limits.contains(&interval(x)?).then(|| of(x)),
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. }
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => None,
        }
    }

    fn binary(
        &self,
        op: BinaryOp,
        ty: Type,
        [(a, x), (b, y)]: [(ValueId, Interval); 2],
        context: ContextId,
    ) -> Option<Rc<Polynomial>> {
        let limits = limits(ty)?;
        let of = |value: ValueId| self.polynomial_of(value, context);
        let sum = |a: ValueId, b: ValueId| of(a).add(&of(b)).map(Rc::new);
        let difference = |a: ValueId, b: ValueId| of(a).sub(&of(b)).map(Rc::new);
        let product = || self.product(a, b, context).map(Rc::new);
        let scaled = |n: i128| of(a).scale(1 << n).map(Rc::new);
        let fits = |op| limits.contains(&integers::binary(op, ty, x, y, self.same(a, b)));
        let amount = || y.single().filter(|n| (0..=last_bit(ty)).contains(n));
        let (below, above) = (x.hi <= y.lo, y.hi <= x.lo);
        match op {
            _ if op.overflow().is_some_and(|mode| mode != Never) && !fits(op.with(Never)) => None,
            BinaryOp::Add(_) => sum(a, b),
            BinaryOp::Sub(_) => difference(a, b),
            BinaryOp::Mul(_) => product(),
            BinaryOp::Shl(_) => scaled(amount()?),
            BinaryOp::Min if below => Some(of(a)),
            BinaryOp::Min if above => Some(of(b)),
            BinaryOp::Max if below => Some(of(b)),
            BinaryOp::Max if above => Some(of(a)),
            BinaryOp::AbsDiff if above => difference(a, b),
            BinaryOp::AbsDiff if below => difference(b, a),
            BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::AbsDiff
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shr
            | BinaryOp::RoundingShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::HalvingAdd
            | BinaryOp::RoundingHalvingAdd
            | BinaryOp::MulHigh
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => None,
        }
    }

    /// A product; the square of a sum remains an atom, because what is known about it is that it is not negative.
    fn product(&self, a: ValueId, b: ValueId, context: ContextId) -> Option<Polynomial> {
        let (x, y) = (self.polynomial_of(a, context), self.polynomial_of(b, context));
        let square_of_sum = x == y && x.terms().len() > 1;
        if square_of_sum { None } else { x.mul(&y) }
    }
}

fn unary(op: UnaryOp, x: &Polynomial, range: Interval, limits: Interval) -> Option<Polynomial> {
    let negatable = limits.contains(&integers::negate(range));
    match op {
        UnaryOp::Neg(Never) => x.scale(-1),
        UnaryOp::Not => Polynomial::constant(limits.lo + limits.hi).sub(x),
        UnaryOp::Neg(Wrap | Saturate) => x.scale(-1).filter(|_| negatable),
        UnaryOp::Abs(_) | UnaryOp::UnsignedAbs => match (range.lo >= 0, range.hi <= 0 && negatable) {
            (true, _) => Some(x.clone()),
            (false, true) => x.scale(-1),
            (false, false) => None,
        },
        UnaryOp::Signum
        | UnaryOp::Sqrt
        | UnaryOp::Isqrt
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundTiesEven
        | UnaryOp::IsNan
        | UnaryOp::FromBits
        | UnaryOp::ToBits
        | UnaryOp::FromHalf
        | UnaryOp::ToHalf => None,
    }
}
