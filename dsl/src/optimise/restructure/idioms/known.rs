//! What intervals alone decide: values that are constants, bounds that are never reached, sums that cannot wrap.

use crate::arithmetic::fits;
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::Range;
use crate::ir::{BinaryOp, CastMode, Constant, Op, Type, UnaryOp, ValueId};
use crate::optimise::build::ranged::Ranged;

#[cfg(test)]
mod exhaustive;

/// A simpler value that equals `id` for all that its operands can be.
pub fn decide(out: &mut Ranged, id: ValueId) -> Option<ValueId> {
    let node = out.node(id).clone();
    // A loop whose variable has one value is a loop all the same.
    if matches!(node.op, Op::Constant(_)) || node.op.is_of_loop() {
        return None;
    }
    match out.range(id) {
        Range::Int { lo, hi } if lo == hi => return Some(out.int(lo, node.ty, id)),
        Range::Bool { can_be_false, can_be_true } if can_be_false != can_be_true => {
            return Some(out.op(Op::Constant(Constant::Bool(can_be_true)), Type::BOOL, id));
        }
        Range::Int { .. } | Range::Bool { .. } | Range::Float { .. } => {}
    }
    match node.op {
        Op::Unary(op, x) if node.ty.is_integer() && out.ty(x).is_integer() => unary(out, node.ty, op, x),
        Op::Binary(op, a, b) if out.ty(a).is_integer() => binary(out, node.ty, op, a, b),
        Op::Cast(CastMode::Wrapping | CastMode::Saturating, x) if node.ty.is_integer() && out.ty(x).is_integer() => {
            out.fits(x, node.ty).then(|| out.convert(x, node.ty))
        }
        Op::Select { condition, then, otherwise } => match out.range(condition) {
            Range::Bool { can_be_false: false, .. } => Some(then),
            Range::Bool { can_be_true: false, .. } => Some(otherwise),
            Range::Bool { .. } | Range::Int { .. } | Range::Float { .. } => None,
        },
        _ => None,
    }
}

fn unary(out: &mut Ranged, ty: Type, op: UnaryOp, x: ValueId) -> Option<ValueId> {
    let (lo, hi) = out.interval(x)?;
    let least = out.ty(x).limits().0;
    match op {
        UnaryOp::Abs(_) | UnaryOp::UnsignedAbs if lo >= 0 => Some(out.convert(x, ty)),
        UnaryOp::Abs(Wrap | Saturate) if lo > least => Some(out.op(Op::Unary(UnaryOp::Abs(Never), x), ty, x)),
        UnaryOp::Neg(Wrap | Saturate) if -hi >= ty.limits().0 && -lo <= ty.limits().1 => {
            Some(out.op(Op::Unary(UnaryOp::Neg(Never), x), ty, x))
        }
        _ => None,
    }
}

fn binary(out: &mut Ranged, ty: Type, op: BinaryOp, a: ValueId, b: ValueId) -> Option<ValueId> {
    use BinaryOp::*;
    let ((lo, hi), (least, greatest)) = (out.interval(a)?, out.interval(b)?);
    let constant = out.integer(b);
    match op {
        _ if op.overflow().is_some_and(|mode| mode != Never) => {
            let plain = op.with(Never);
            cannot_leave(plain, ty, (lo, hi), (least, greatest)).then(|| out.op(Op::Binary(plain, a, b), ty, a))
        }
        Add(Never) => sum_of_constants(out, ty, a, constant?),
        Min if hi <= least => Some(a),
        Min if greatest <= lo => Some(b),
        Max if lo >= greatest => Some(a),
        Max if least >= hi => Some(b),
        AbsDiff if lo >= greatest => difference(out, ty, a, b),
        AbsDiff if least >= hi => difference(out, ty, b, a),
        Div if lo >= 0 && is_power(constant) => {
            let n = out.int(i128::from(constant?.trailing_zeros()), Type::U32, b);
            Some(out.op(Op::Binary(Shr, a, n), ty, a))
        }
        Rem if lo >= 0 && constant.is_some_and(|c| c > hi) => Some(a),
        Rem if lo >= 0 && is_power(constant) => {
            let mask = out.int(constant? - 1, ty, b);
            Some(out.op(Op::Binary(And, a, mask), ty, a))
        }
        And if lo >= 0 && constant.is_some_and(|c| c >= 0 && covers(c, hi)) => Some(a),
        _ => None,
    }
}

/// (x + c) + d with both constants as one.
fn sum_of_constants(out: &mut Ranged, ty: Type, sum: ValueId, d: i128) -> Option<ValueId> {
    let Op::Binary(BinaryOp::Add(Never), x, c) = out.node(sum).op else { return None };
    let total = out.integer(c)?.checked_add(d).filter(|&total| fits(total, ty))?;
    let total = out.int(total, ty, sum);
    Some(out.op(Op::Binary(BinaryOp::Add(Never), x, total), ty, sum))
}

/// a − b where a ≥ b: exact in the unsigned type of the distance, whatever the operands' signs.
fn difference(out: &mut Ranged, ty: Type, a: ValueId, b: ValueId) -> Option<ValueId> {
    let keeps = out.fits(a, ty) && out.fits(b, ty);
    let (a, b) = (out.convert(a, ty), out.convert(b, ty));
    let op = if keeps { BinaryOp::Sub(Never) } else { BinaryOp::Sub(Wrap) };
    Some(out.op(Op::Binary(op, a, b), ty, a))
}

/// Whether all bits of the values up to `hi` are set in a mask.
fn covers(mask: i128, hi: i128) -> bool {
    let below = (1 << (i128::BITS - hi.leading_zeros())) - 1;
    mask & below == below
}

fn is_power(constant: Option<i128>) -> bool {
    constant.is_some_and(|c| c > 1 && c.count_ones() == 1)
}

/// Whether the exact result is in the type for all operands.
fn cannot_leave(op: BinaryOp, ty: Type, (a, b): (i128, i128), (c, d): (i128, i128)) -> bool {
    let (lo, hi) = match op {
        BinaryOp::Add(Never) => (a + c, b + d),
        BinaryOp::Sub(Never) => (a - d, b - c),
        BinaryOp::Mul(Never) => {
            let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
            (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
        }
        BinaryOp::Shl(Never) if c >= 0 && d < i128::from(ty.bits()) => {
            (if ty.is_signed() { a.min(0) << d } else { 0 }, b.max(0) << d)
        }
        _ => return false,
    };
    ty.limits().0 <= lo && hi <= ty.limits().1
}
