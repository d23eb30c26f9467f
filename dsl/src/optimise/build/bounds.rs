//! What an integer can be by its type and by the types of what it was converted from, whatever was proved: memory safety
//! may rest on it. It looks through conversions, operations that bound their result in every target's text, and sums with a
//! constant, no deeper than [`DEPTH`] of them: other arithmetic may be written otherwise where its range is known.

use crate::ir::Overflow::{Never, Wrap};
use crate::ir::{BinaryOp, CastMode, Constant, Op, Type, ValueId};
use crate::optimise::Builder;

/// Operations that are looked through.
const DEPTH: u32 = 8;

/// The least and the greatest that a value can be; of its type, where nothing narrower is certain.
pub fn bounds(builder: &Builder, id: ValueId) -> (i128, i128) {
    of(builder, id, DEPTH)
}

fn of(builder: &Builder, id: ValueId, depth: u32) -> (i128, i128) {
    let node = builder.node(id);
    let own = node.ty.limits();
    if depth == 0 || !node.ty.is_integer() {
        return own;
    }
    let value = |id| of(builder, id, depth - 1);
    let found = match node.op {
        Op::Constant(Constant::Int(value)) => (value, value),
        Op::Cast(mode, inner) if builder.node(inner).ty.is_integer() => {
            let (lo, hi) = value(inner);
            match mode {
                CastMode::Saturating => (lo.clamp(own.0, own.1), hi.clamp(own.0, own.1)),
                CastMode::Value | CastMode::Wrapping => (lo, hi),
            }
        }
        Op::Cast(_, inner) if builder.node(inner).ty == Type::BOOL => (0, 1),
        Op::Select { then, otherwise, .. } => {
            let (then, otherwise) = (value(then), value(otherwise));
            (then.0.min(otherwise.0), then.1.max(otherwise.1))
        }
        Op::Binary(BinaryOp::Min, a, b) => {
            let (a, b) = (value(a), value(b));
            (a.0.min(b.0), a.1.min(b.1))
        }
        Op::Binary(BinaryOp::Max, a, b) => {
            let (a, b) = (value(a), value(b));
            (a.0.max(b.0), a.1.max(b.1))
        }
        Op::Binary(BinaryOp::Add(Never | Wrap), a, b) if builder.is_constant(a) || builder.is_constant(b) => {
            let (a, b) = (value(a), value(b));
            (a.0 + b.0, a.1 + b.1)
        }
        Op::Binary(BinaryOp::Sub(Never | Wrap), a, b) if builder.is_constant(b) => {
            let (a, b) = (value(a), value(b));
            (a.0 - b.1, a.1 - b.0)
        }
        // Of both a run says so before it begins.
        Op::Coordinate { offset, .. } => (offset.into(), own.1),
        Op::Extent { .. } => (1, own.1),
        Op::Turn { start, .. } => (value(start).0, own.1),
        // No bit that one of them lacks.
        Op::Binary(BinaryOp::And, a, b) => {
            let natural = [value(a), value(b)].into_iter().filter(|(least, _)| *least >= 0);
            natural.map(|(_, most)| most).min().map_or(own, |most| (0, most))
        }
        _ => own,
    };
    // What does not fit wraps.
    if own.0 <= found.0 && found.1 <= own.1 { found } else { own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::Raw;

    fn found(build: impl FnOnce(&mut Raw, ValueId) -> ValueId) -> (i128, i128) {
        let mut raw = Raw::default();
        let a = raw.input(0, Type::U16);
        let value = build(&mut raw, a);
        let body = raw.store(value);
        let mut builder = Builder::with_capacity(body.nodes.len());
        let ids: Vec<ValueId> = body.nodes.iter().map(|node| builder.push(node.clone())).collect();
        bounds(&builder, ids[value.0 as usize])
    }

    fn with_constant(op: BinaryOp, constant: i128) -> (i128, i128) {
        found(|raw, a| {
            let constant = raw.raw(Op::Constant(Constant::Int(constant)), Type::U16);
            raw.raw(Op::Binary(op, a, constant), Type::U16)
        })
    }

    #[test]
    fn operations_that_bound() {
        assert_eq!(found(|_, a| a), (0, 65535));
        assert_eq!(with_constant(BinaryOp::Min, 99), (0, 99));
        assert_eq!(with_constant(BinaryOp::And, 255), (0, 255));
    }

    #[test]
    fn other_operations_have_the_bounds_of_their_type() {
        for op in [
            BinaryOp::Add(Never),
            BinaryOp::Sub(Never),
            BinaryOp::Mul(Never),
            BinaryOp::Shr,
            BinaryOp::Div,
            BinaryOp::Rem,
        ] {
            assert_eq!(with_constant(op, 3), (0, 65535), "{op:?}");
        }
    }

    #[test]
    fn a_conversion_keeps_what_fits() {
        let wide = |raw: &mut Raw, a| raw.raw(Op::Cast(CastMode::Value, a), Type::U32);
        assert_eq!(found(wide), (0, 65535));
        let narrow = |raw: &mut Raw, a| raw.raw(Op::Cast(CastMode::Value, a), Type::U8);
        assert_eq!(found(narrow), (0, 255));
    }
}
