//! Constant folding: an operation on constants is a constant, by [`crate::arithmetic`].

use crate::arithmetic;
use crate::ir::{Constant, Node, Op};
use crate::optimise::Builder;

/// The constant that a node computes, where all its operands are constants. Where Rust would panic (a value that is
/// never looked at) there is none.
pub fn fold(builder: &Builder, node: &Node) -> Option<Constant> {
    let is_known = match node.op {
        Op::Unary(_, a) | Op::Binary(_, a, _) | Op::MulAdd(a, ..) | Op::Cast(_, a) => builder.is_constant(a),
        Op::Select { condition, .. } => builder.is_constant(condition),
        Op::Constant(_)
        | Op::Load(_)
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Extent { .. }
        | Op::Stride { .. }
        | Op::Derived { .. } => false,
        Op::Lookup { .. } | Op::Plane { .. } | Op::Gather { .. } | Op::Fetch { .. } | Op::Contiguous { .. } => false,
        Op::Turn { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. }
        | Op::Across { .. }
        | Op::Local { .. } => false,
    };
    if !is_known {
        return None;
    }
    let at = |id| builder.constant(id);
    let value = match node.op {
        Op::Constant(_)
        | Op::Load(_)
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Extent { .. }
        | Op::Stride { .. }
        | Op::Derived { .. } => None,
        Op::Lookup { .. } | Op::Plane { .. } | Op::Gather { .. } | Op::Fetch { .. } | Op::Contiguous { .. } => None,
        Op::Turn { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. }
        | Op::Across { .. }
        | Op::Local { .. } => None,
        Op::Unary(op, a) => arithmetic::unary(op, builder.node(a).ty, at(a)?),
        Op::Binary(op, a, b) => arithmetic::binary(op, builder.node(a).ty, at(a)?, at(b)?),
        Op::MulAdd(a, b, c) => arithmetic::mul_add(at(a)?, at(b)?, at(c)?),
        Op::Select { condition, then, otherwise } => match at(condition)? {
            Constant::Bool(true) => at(then),
            Constant::Bool(false) => at(otherwise),
            Constant::Int(_) | Constant::Float(_) | Constant::Double(_) => None,
        },
        Op::Cast(mode, a) => arithmetic::cast(mode, node.ty, at(a)?),
    }?;
    value.is_of(node.ty).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::ir::Overflow::Never;
    use crate::ir::{BinaryOp, CastMode, Op, Type};
    use crate::optimise::number;
    use crate::optimise::testing::{lines, u8_body};

    #[test]
    fn operations_on_constants_are_constants() {
        let body = u8_body(|b, x, _| {
            let (two, three) = (b.int(2, Type::U16), b.int(3, Type::U16));
            let six = b.raw(Op::Binary(BinaryOp::Mul(Never), two, three), Type::U16);
            let narrow = b.raw(Op::Cast(CastMode::Value, six), Type::U8);
            b.raw(Op::Binary(BinaryOp::Min, x, narrow), Type::U8)
        });
        assert_eq!(lines(&number(&body)).last().map(String::as_str), Some("Min v0 v5"));
        assert!(lines(&number(&body)).contains(&"6".to_owned()));
    }

    #[test]
    fn what_would_panic_is_left_alone() {
        let body = u8_body(|b, x, _| {
            let (one, zero) = (b.int(1, Type::U8), b.int(0, Type::U8));
            let quotient = b.raw(Op::Binary(BinaryOp::Div, one, zero), Type::U8);
            b.raw(Op::Binary(BinaryOp::Min, x, quotient), Type::U8)
        });
        assert!(lines(&number(&body)).iter().any(|line| line.starts_with("Div")));
    }
}
