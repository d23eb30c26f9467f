//! Which bits of a value may be set, and those that a condition sets.

use super::Target;
use super::selection::Select;
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Op, Type, ValueId};

/// Values that are looked at for one answer: what they share is looked at again.
const MOST: u32 = 200;

/// All bits of a type.
pub fn all(ty: Type) -> i128 {
    (1 << ty.bits()) - 1
}

impl<T: Target> Select<'_, T> {
    /// The bits of an integer that may be set.
    pub fn bits(&self, id: ValueId) -> i128 {
        self.bits_of(id, &mut MOST.clone())
    }

    fn bits_of(&self, id: ValueId, left: &mut u32) -> i128 {
        let node = self.body.node(id);
        let all = all(node.ty);
        if *left == 0 {
            return all;
        }
        *left -= 1;
        let amount = |n: ValueId| self.constant(n).filter(|n| (0..i128::from(node.ty.bits())).contains(n));
        match node.op {
            Op::Constant(Constant::Int(value)) => value & all,
            Op::Select { then, otherwise, .. } => self.bits_of(then, left) | self.bits_of(otherwise, left),
            Op::Binary(BinaryOp::Or | BinaryOp::Xor, a, b) => self.bits_of(a, left) | self.bits_of(b, left),
            Op::Binary(BinaryOp::And, a, b) => self.bits_of(a, left) & self.bits_of(b, left),
            // A sum of bits that are apart carries none.
            Op::Binary(BinaryOp::Add(_), a, b) => match (self.bits_of(a, left), self.bits_of(b, left)) {
                (a, b) if a & b == 0 => a | b,
                _ => all,
            },
            Op::Binary(BinaryOp::Shl(_), a, n) => amount(n).map_or(all, |n| self.bits_of(a, left) << n & all),
            Op::Binary(BinaryOp::Shr, a, n) if !node.ty.is_signed() => {
                amount(n).map_or(all, |n| self.bits_of(a, left) >> n)
            }
            Op::Binary(op, a, factor) if op.is_product() => match self.constant(factor) {
                Some(factor) if factor > 0 && factor.count_ones() == 1 => (self.bits_of(a, left) * factor) & all,
                _ => all,
            },
            Op::Cast(mode, a) => self.bits_of_cast(mode, node.ty, a, left),
            _ => all,
        }
    }

    fn bits_of_cast(&self, mode: CastMode, ty: Type, a: ValueId, left: &mut u32) -> i128 {
        let from = self.body.node(a).ty;
        match from {
            Type::BOOL => 1,
            _ if !from.is_integer() || mode == CastMode::Saturating => all(ty),
            _ => {
                let bits = self.bits_of(a, left);
                let is_extended = from.is_signed() && from.bits() < ty.bits() && bits >> (from.bits() - 1) != 0;
                if is_extended { all(ty) } else { bits & all(ty) }
            }
        }
    }

    /// Of a value that is some bits where a condition holds and none elsewhere, the condition and the bits.
    pub fn chosen_bits(&self, id: ValueId) -> Option<(ValueId, i128)> {
        let ty = self.body.node(id).ty;
        match *self.vector_op(id)? {
            Op::Cast(_, condition) if self.body.node(condition).ty == Type::BOOL && ty.is_integer() => {
                Some((condition, 1))
            }
            Op::Select { condition, then, otherwise } if self.constant(otherwise) == Some(0) => {
                Some((condition, self.constant(then)? & all(ty)))
            }
            _ => None,
        }
    }
}
