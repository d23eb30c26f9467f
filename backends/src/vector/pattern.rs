//! What a selection asks of the trees that several nodes make: products, distances, constants, widened values.

use super::Target;
use super::selection::Select;
use windrow_dsl::arithmetic::fits;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, Body, CastMode, Constant, Kind, Op, Type, UnaryOp, ValueId};

/// A term of a sum.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// What is added.
    pub value: ValueId,
    /// Or subtracted.
    pub is_subtracted: bool,
}

/// Sums taken apart.
impl<T: Target> Select<'_, T> {
    /// The terms of the sum or difference that is being selected, through the sums in it that no other value needs. None where
    /// it is a part of another one, which takes it apart.
    pub fn terms(&self, ty: Type, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Vec<Term>> {
        if self.only_user(self.current).is_some_and(|user| self.is_sum(user, ty)) {
            return None;
        }
        let mut terms = Vec::new();
        self.collect(ty, Term { value: a, is_subtracted: false }, &mut terms);
        self.collect(ty, Term { value: b, is_subtracted: op.is_difference() }, &mut terms);
        Some(terms)
    }

    /// Whether a value is a sum or difference of this type.
    pub fn is_sum(&self, id: ValueId, ty: Type) -> bool {
        let node = self.body.node(id);
        node.ty == ty && node.op.is_sum()
    }

    /// The terms of a value that is a term itself, in the order in which they are written.
    pub fn collect(&self, ty: Type, term: Term, terms: &mut Vec<Term>) {
        // With a stack of its own, as chains may be long.
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match self.body.node(term.value).op {
                Op::Binary(op, a, b) if self.is_sum(term.value, ty) && self.only_user(term.value).is_some() => {
                    pending.push(Term { value: b, is_subtracted: term.is_subtracted != op.is_difference() });
                    pending.push(Term { value: a, ..term });
                }
                _ => terms.push(term),
            }
        }
    }

    /// Vectors times a constant.
    pub fn scaled(&self, value: ValueId) -> Option<(ValueId, i128)> {
        match *self.vector_op(value)? {
            Op::Binary(BinaryOp::Mul(Never | Wrap), x, c) => Some((x, self.constant(c)?)),
            Op::Binary(BinaryOp::Shl(_), x, n) => Some((x, 1 << self.constant(n).filter(|n| (0..7).contains(n))?)),
            _ => None,
        }
    }
}

impl<T: Target> Select<'_, T> {
    /// The factors of a product of vectors.
    pub fn product(&self, id: ValueId) -> Option<(ValueId, ValueId)> {
        match *self.vector_op(id)? {
            Op::Binary(BinaryOp::Mul(Never | Wrap), x, y) => Some((x, y)),
            _ => None,
        }
    }

    /// The factors of a product of half the width that is widened: values of vectors that `ty` has, whatever their own sign.
    pub fn widened_product(&self, id: ValueId, ty: Type) -> Option<(ValueId, ValueId)> {
        let Op::Cast(CastMode::Value, product) = *self.vector_op(id)? else { return None };
        let Op::Binary(BinaryOp::Mul(Never), x, y) = *self.vector_op(product)? else { return None };
        let is_own = self.only_user(product).is_some() && ![x, y].iter().any(|&id| self.is_scalar(id));
        (is_own && [x, y].iter().all(|&id| self.is_within(id, ty))).then_some((x, y))
    }

    /// The operands of an absolute difference of vectors.
    pub fn distance(&self, id: ValueId) -> Option<(ValueId, ValueId)> {
        match *self.vector_op(id)? {
            Op::Binary(BinaryOp::AbsDiff, x, y) => Some((x, y)),
            _ => None,
        }
    }

    /// The operation of a value that differs from lane to lane. What is the same for all lanes is computed once, as a scalar, and
    /// its operands may be of types of which the lanes of a step fill no vector: no pattern takes it apart.
    pub fn vector_op(&self, id: ValueId) -> Option<&Op> {
        (!self.is_scalar(id)).then(|| &self.body.node(id).op)
    }

    /// The value of an integer constant.
    pub fn constant(&self, id: ValueId) -> Option<i128> {
        match self.body.node(id).op {
            Op::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The type of half the width that has all values, one of them by conversion: which of the two kinds says what they can be.
    pub fn narrow_type(&self, ty: Type, ids: &[ValueId]) -> Option<Type> {
        let own = ids.iter().find_map(|&id| match *self.vector_op(id)? {
            Op::Cast(mode, inner) if mode != CastMode::Saturating => {
                let from = self.body.node(inner).ty;
                (from.is_integer() && ty.is_integer() && from.bits() * 2 == ty.bits()).then_some(from)
            }
            _ => None,
        })?;
        let of_kind = |kind: Kind| Type::of(kind, own.bits());
        let types = [Some(own), of_kind(Kind::Signed), of_kind(Kind::Unsigned)];
        types.into_iter().flatten().find(|&from| self.are_narrow(ids, from))
    }

    /// Whether all values are ones of `from`, widened.
    pub fn are_narrow(&self, ids: &[ValueId], from: Type) -> bool {
        ids.iter().all(|&id| self.is_narrow(id, from))
    }

    /// Whether no value depends on the sign of a float that is zero: it becomes an integer, or is compared with others.
    pub fn is_any_zero(&self, id: ValueId) -> bool {
        let mut float = id;
        while let Some(user) = self.only_user(float) {
            match self.body.node(user).op {
                Op::Cast(..) => return self.body.node(user).ty.is_integer(),
                Op::Binary(op, ..) if op.comparison().is_some() => return true,
                Op::Binary(BinaryOp::Min | BinaryOp::Max, ..) => float = user,
                Op::Unary(UnaryOp::RoundTiesEven | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc, _) => float = user,
                _ => return false,
            }
        }
        false
    }

    /// What a float is rounded from, to the nearest integer and halves to the even one: conversions to integers can round so
    /// themselves.
    pub fn rounded(&self, id: ValueId) -> Option<ValueId> {
        match self.vector_op(id)? {
            Op::Unary(UnaryOp::RoundTiesEven, x) => Some(*x),
            _ => None,
        }
    }

    /// The one value that is computed from this one, where there is one and no store needs it.
    pub fn only_user(&self, id: ValueId) -> Option<ValueId> {
        self.users.get_or_init(|| users(self.body))[id.0 as usize].filter(|&user| user != id)
    }

    /// Whether a value is one of `from`, widened.
    fn is_narrow(&self, id: ValueId, from: Type) -> bool {
        let node = self.body.node(id);
        match node.op {
            Op::Constant(Constant::Int(value)) => fits(value, from),
            Op::Cast(mode, inner) => {
                let own = self.body.node(inner).ty;
                let keeps = own == from || own.bits() < from.bits() && (!own.is_signed() || from.is_signed());
                match self.word(id) {
                    Some(_) => keeps || self.is_within(inner, from),
                    None if mode == CastMode::Saturating => false,
                    None => own == from || self.is_halfway(inner, from) || self.is_within(inner, from),
                }
            }
            _ => false,
        }
    }

    /// Whether a value of a type's width is one of its values, whatever its own sign.
    fn is_within(&self, id: ValueId, ty: Type) -> bool {
        let own = self.body.node(id).ty;
        own.is_integer() && own.bits() == ty.bits() && self.range(id).fits(ty)
    }

    /// Whether an unsigned value was itself widened, so that it is a value of the signed type of its width too.
    fn is_halfway(&self, id: ValueId, from: Type) -> bool {
        let node = self.body.node(id);
        match node.op {
            Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => {
                let source = self.body.node(inner).ty;
                node.ty.bits() == from.bits()
                    && source.is_integer()
                    && source.bits() < node.ty.bits()
                    && !source.is_signed()
            }
            _ => false,
        }
    }
}

/// The one user of each value; the value itself, where there are several, or a store.
fn users(body: &Body) -> Vec<Option<ValueId>> {
    let mut users = vec![None; body.nodes.len()];
    for (index, node) in body.nodes.iter().enumerate() {
        let user = ValueId(index as u32);
        node.op.for_operands(|operand| {
            let known = &mut users[operand.0 as usize];
            *known = Some(if known.is_some() { operand } else { user });
        });
    }
    for store in &body.stores {
        users[store.value.0 as usize] = Some(store.value);
    }
    users
}
