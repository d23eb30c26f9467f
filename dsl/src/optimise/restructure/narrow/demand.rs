//! What each operation asks of its operands, and how wide it must be itself.

use crate::ir::Overflow::{Never, Wrap};
use crate::ir::Range;
use crate::ir::{BinaryOp, Body, CastMode, Constant, Op, Type, UnaryOp, ValueId};
use crate::optimise::normalise::derive::uniform_values;

/// How a value takes part in narrowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The same for all elements: it costs nothing in any type.
    Word,
    /// Its type stays: it comes from memory, is a float, or its operation belongs to a width.
    Fixed,
    /// Its low bits depend only on the low bits of its operands.
    LowBits,
    /// It looks at its operands as a whole, in one type that holds them and the result.
    Whole,
    /// A truth value: a mask as wide as what it came from.
    Truth,
    /// A conversion that keeps the value of its operand.
    Same,
}

/// The width of the lanes that an operand is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// As wide as the operation itself.
    Own,
    /// This width.
    Width(u32),
    /// Any width that holds the value; it is converted from there to this one.
    Any(u32),
    /// A mask.
    Mask,
}

/// Integers of a body, each with its role.
pub struct Subject<'a> {
    pub body: &'a Body,
    pub ranges: &'a [Range],
    pub roles: Vec<Role>,
}

impl<'a> Subject<'a> {
    pub fn new(body: &'a Body, ranges: &'a [Range]) -> Self {
        let words = uniform_values(body);
        let mut subject = Self { body, ranges, roles: Vec::with_capacity(body.nodes.len()) };
        for (index, &word) in words.iter().enumerate() {
            let role = if word { Role::Word } else { subject.role(ValueId(index as u32)) };
            subject.roles.push(role);
        }
        subject
    }

    pub fn role_of(&self, id: ValueId) -> Role {
        self.roles[id.0 as usize]
    }

    pub fn ty(&self, id: ValueId) -> Type {
        self.body.node(id).ty
    }

    /// The value before conversions that keep it.
    pub fn source(&self, mut id: ValueId) -> ValueId {
        while let (Role::Same, Op::Cast(_, inner)) = (self.role_of(id), &self.body.node(id).op) {
            id = *inner;
        }
        id
    }

    /// The bounds of an integer value.
    pub fn interval(&self, id: ValueId) -> (i128, i128) {
        self.ranges[id.0 as usize].as_int().unwrap_or(self.ty(id).limits())
    }

    /// Whether lanes of a width hold the value.
    pub fn holds(&self, id: ValueId, width: u32) -> bool {
        let (lo, hi) = self.interval(id);
        Type::of_width(width, lo, hi).is_some()
    }

    /// The least width whose lanes hold the value.
    pub fn exact_width(&self, id: ValueId) -> u32 {
        let (lo, hi) = self.interval(id);
        Type::least_width(lo, hi)
    }

    fn role(&self, id: ValueId) -> Role {
        use BinaryOp::*;
        let node = self.body.node(id);
        if node.ty == Type::BOOL {
            return match node.op {
                Op::Binary(_, a, _) if self.ty(a).is_integer() => Role::Whole,
                _ => Role::Truth,
            };
        }
        if !node.ty.is_integer() {
            return Role::Fixed;
        }
        match node.op {
            Op::Select { .. } => Role::LowBits,
            Op::Cast(mode, x) => self.cast_role(mode, node.ty, x),
            Op::Unary(op, _) => match op {
                UnaryOp::Neg(Never | Wrap) | UnaryOp::Not => Role::LowBits,
                UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs | UnaryOp::Signum | UnaryOp::Isqrt => Role::Whole,
                _ => Role::Fixed,
            },
            Op::Binary(op, _, amount) => match op {
                Add(Never | Wrap) | Sub(Never | Wrap) | Mul(Never | Wrap) | And | Or | Xor => Role::LowBits,
                Shl(Never) => Role::LowBits,
                Shl(Wrap) if self.interval(amount).1 < i128::from(node.ty.bits()) => Role::LowBits,
                Min | Max | AbsDiff | HalvingAdd | RoundingHalvingAdd | Shr | RoundingShr | Div | Rem => Role::Whole,
                _ => Role::Fixed,
            },
            _ => Role::Fixed,
        }
    }

    fn cast_role(&self, mode: CastMode, ty: Type, x: ValueId) -> Role {
        let from = self.ty(x);
        if from == Type::BOOL {
            return Role::LowBits;
        }
        if !from.is_integer() {
            return Role::Fixed;
        }
        let keeps = self.ranges[x.0 as usize].fits(ty);
        match mode {
            CastMode::Value => Role::Same,
            CastMode::Wrapping | CastMode::Saturating if keeps => Role::Same,
            CastMode::Wrapping => Role::LowBits,
            CastMode::Saturating => Role::Fixed,
        }
    }

    /// The least width in which the operation can be done at all.
    pub fn least_width(&self, id: ValueId) -> u32 {
        let node = self.body.node(id);
        match self.role_of(id) {
            Role::LowBits => match node.op {
                Op::Binary(BinaryOp::Shl(_), _, amount) => self.above(amount),
                _ => 8,
            },
            Role::Whole => {
                let (lo, hi) = self.operands_and_result(id);
                let holds = Type::least_width(lo, hi);
                match node.op {
                    Op::Binary(BinaryOp::Shr | BinaryOp::RoundingShr, _, amount) => holds.max(self.above(amount)),
                    _ => holds,
                }
            }
            Role::Word | Role::Fixed | Role::Truth | Role::Same => node.ty.bits().max(8),
        }
    }

    /// The least width above a shift amount.
    fn above(&self, amount: ValueId) -> u32 {
        let most = self.interval(amount).1;
        Type::WIDTHS.into_iter().find(|&width| most < i128::from(width)).unwrap_or(64)
    }

    /// What the type of a whole-value operation must hold.
    pub fn operands_and_result(&self, id: ValueId) -> (i128, i128) {
        let node = self.body.node(id);
        let hull = |(a, b): (i128, i128), (c, d): (i128, i128)| (a.min(c), b.max(d));
        match node.op {
            // The result is of the unsigned type, which holds it.
            Op::Unary(UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs, x) => self.interval(x),
            Op::Unary(_, x) => hull(self.interval(x), self.interval(id)),
            Op::Binary(BinaryOp::Shr | BinaryOp::RoundingShr, x, _) => hull(self.interval(x), self.interval(id)),
            Op::Binary(op, a, b) => {
                let operands = hull(self.interval(a), self.interval(b));
                let is_inside = op == BinaryOp::AbsDiff || node.ty == Type::BOOL;
                if is_inside { operands } else { hull(operands, self.interval(id)) }
            }
            _ => self.interval(id),
        }
    }

    /// The operands of a value that are not words, and what it needs of them.
    pub fn operands(&self, id: ValueId) -> Vec<(ValueId, Need)> {
        let node = self.body.node(id);
        let own = match self.role_of(id) {
            Role::LowBits | Role::Whole => Need::Own,
            Role::Word | Role::Same => return Vec::new(),
            Role::Fixed | Role::Truth => Need::Width(0),
        };
        let fixed = |operand: ValueId| (operand, Need::Width(self.ty(operand).bits().max(8)));
        let need = |operand: ValueId| if own == Need::Own { (operand, own) } else { fixed(operand) };
        let all = match node.op {
            Op::Select { condition, then, otherwise } if node.ty != Type::BOOL => {
                vec![(condition, Need::Mask), need(then), need(otherwise)]
            }
            Op::Select { condition, then, otherwise } => {
                vec![(condition, Need::Mask), (then, Need::Mask), (otherwise, Need::Mask)]
            }
            Op::Binary(BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr, x, amount) => {
                vec![need(x), fixed(amount)]
            }
            Op::Binary(_, a, b) if self.ty(a) == Type::BOOL => vec![(a, Need::Mask), (b, Need::Mask)],
            Op::Binary(_, a, b) => vec![need(a), need(b)],
            Op::Unary(UnaryOp::Not, x) | Op::Cast(_, x) if self.ty(x) == Type::BOOL => vec![(x, Need::Mask)],
            Op::Unary(_, x) => vec![need(x)],
            Op::Cast(CastMode::Saturating, x) if self.ty(x).is_integer() && node.ty.is_integer() => {
                vec![(x, Need::Any(node.ty.bits()))]
            }
            Op::Cast(_, x) if node.ty.is_float() && self.ty(x).is_integer() => vec![(x, Need::Any(32))],
            Op::Cast(_, x) => vec![need(x)],
            Op::Lookup { index, .. } => vec![(index, Need::Any(8))],
            Op::MulAdd(a, b, c) => vec![need(a), need(b), need(c)],
            Op::Plane { .. } | Op::Gather { .. } | Op::Contiguous { .. } => {
                node.op.operands().into_iter().map(fixed).collect()
            }
            Op::Fetch { offset: a, .. } | Op::Across { value: a, .. } | Op::Local { value: a, .. } => vec![fixed(a)],
            Op::Turn { start: a, end: b, .. }
            | Op::Carried { turn: a, before: b, .. }
            | Op::Outcome { end: a, carried: b } => {
                vec![fixed(a), fixed(b)]
            }
            Op::Advance { carried, after, rest } => vec![fixed(carried), fixed(after), fixed(rest)],
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Derived { .. } => Vec::new(),
        };
        let varies = all.into_iter().map(|(operand, need)| (self.source(operand), need));
        varies.filter(|(operand, _)| self.role_of(*operand) != Role::Word).collect()
    }

    /// Whether an operation reads operands of half its width without converting them first.
    pub fn widens_by_itself(&self, id: ValueId) -> bool {
        use BinaryOp::*;
        matches!(
            self.body.node(id).op,
            Op::Binary(Add(Never | Wrap) | Sub(Never | Wrap) | Mul(Never | Wrap) | Shl(_), ..)
        )
    }

    /// Instructions that the operation takes for each vector.
    pub fn effort(&self, id: ValueId) -> u32 {
        match self.body.node(id).op {
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => match self.body.node(divisor).op {
                Op::Constant(Constant::Int(_)) => 3,
                _ => 6,
            },
            _ => 1,
        }
    }
}
