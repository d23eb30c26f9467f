//! What a selection asks of the trees that several nodes make: products, distances, constants, widened values.

use super::Target;
use super::select::Select;
use windrow_dsl::arithmetic::{bits, fits, is_signed};
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Op, Type, ValueId};

impl<T: Target> Select<'_, T> {
    /// The factors of a product.
    pub fn product(&self, id: ValueId) -> Option<(ValueId, ValueId)> {
        match self.body.node(id).op {
            Op::Binary(BinaryOp::Mul | BinaryOp::WrappingMul, x, y) => Some((x, y)),
            _ => None,
        }
    }

    /// The operands of an absolute difference.
    pub fn distance(&self, id: ValueId) -> Option<(ValueId, ValueId)> {
        match self.body.node(id).op {
            Op::Binary(BinaryOp::AbsDiff, x, y) => Some((x, y)),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn constant(&self, id: ValueId) -> Option<i64> {
        match self.body.node(id).op {
            Op::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The type of half the width that all values have, one of them by conversion.
    pub fn narrow_type(&self, ty: Type, ids: &[ValueId]) -> Option<Type> {
        let own = ids.iter().find_map(|&id| match self.body.node(id).op {
            Op::Cast(mode, inner) if mode != CastMode::Saturating && self.word(id).is_none() => {
                let from = self.body.node(inner).ty;
                (from != Type::Bool && from != Type::F32 && bits(from) * 2 == bits(ty)).then_some(from)
            }
            _ => None,
        })?;
        let signed = if bits(own) == 8 { Type::I8 } else { Type::I16 };
        [own, signed].into_iter().find(|&from| ids.iter().all(|&id| self.is_narrow(id, from)))
    }

    /// Whether a value is one of `from`, widened.
    fn is_narrow(&self, id: ValueId, from: Type) -> bool {
        let node = self.body.node(id);
        match node.op {
            Op::Constant(Constant::Int(value)) => fits(value, from),
            Op::Cast(mode, inner) => {
                let own = self.body.node(inner).ty;
                let keeps = own == from || bits(own) < bits(from) && (!is_signed(own) || is_signed(from));
                match self.word(id) {
                    Some(_) => keeps,
                    None => mode != CastMode::Saturating && (own == from || self.is_halfway(inner, from)),
                }
            }
            _ => false,
        }
    }

    /// Whether an unsigned value was itself widened, so that it is a value of the signed type of its width too.
    fn is_halfway(&self, id: ValueId, from: Type) -> bool {
        let node = self.body.node(id);
        match node.op {
            Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => {
                let source = self.body.node(inner).ty;
                bits(node.ty) == bits(from)
                    && source != Type::F32
                    && bits(source) < bits(node.ty)
                    && !is_signed(source)
                    && source != Type::Bool
            }
            _ => false,
        }
    }
}
