//! Comparisons: a mask as wide as what is compared.

use super::X86;
use super::float_order::order_of;
use super::long;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{BinaryOp, Type};

/// The mask of a comparison of floats.
pub fn float_mask(select: &mut Select<'_, X86>, op: BinaryOp, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
    select.compare_floats(order_of(op), lane, a, b)
}

/// The mask of a comparison of integers: there are == and, for signed lanes, >; for unsigned ones the lesser of two is the
/// first where the first is not greater, and lanes of 64 bits, which have no lesser of two, are compared as signed ones.
pub fn mask(select: &mut Select<'_, X86>, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId {
    let lane = Lane::of(ty);
    match op {
        BinaryOp::Lt => mask(select, BinaryOp::Gt, ty, b, a),
        BinaryOp::Le => mask(select, BinaryOp::Ge, ty, b, a),
        BinaryOp::Gt if lane == Lane::U64 => {
            let [a, b] = [a, b].map(|value| signed_in_order(select, value));
            mask(select, op, Type::I64, a, b)
        }
        BinaryOp::Ge if !lane.is_signed() && lane.bits() < 64 => {
            let most = select.sized_unsigned("max", lane, &[a, b]);
            select.sized("cmpeq", lane.unsigned(), &[most, a])
        }
        BinaryOp::Gt if lane == Lane::I64 && select.target == X86::Sse41 => long::greater(select, a, b),
        BinaryOp::Gt if lane.is_signed() => select.sized("cmpgt", lane.unsigned(), &[a, b]),
        BinaryOp::Gt | BinaryOp::Ge => {
            let reversed = if op == BinaryOp::Gt { BinaryOp::Ge } else { BinaryOp::Gt };
            let mask = mask(select, reversed, ty, b, a);
            select.inverse(mask)
        }
        BinaryOp::Ne => {
            let equal = select.sized("cmpeq", lane.unsigned(), &[a, b]);
            select.inverse(equal)
        }
        _ => select.sized("cmpeq", lane.unsigned(), &[a, b]),
    }
}

/// Signed lanes of 64 bits in the order of unsigned ones: their highest bit is inverted.
fn signed_in_order(select: &mut Select<'_, X86>, a: VectorId) -> VectorId {
    let sign = select.splat_int(Type::I64.limits().0, Lane::I64);
    select.op("xor_si", Lane::I64, &[a, sign])
}
