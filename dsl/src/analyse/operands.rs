//! The shape of operations: their operands, which of them are comparisons, and which demand something.

use crate::ir::{BinaryOp, Op, ValueId};

/// The values that an operation reads, in order.
pub(super) fn operands(op: &Op) -> impl Iterator<Item = ValueId> + use<> {
    let list = match *op {
        Op::Constant(_) | Op::Input { .. } | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Derived { .. } => {
            [None, None, None]
        }
        Op::Lookup { index, .. } => [Some(index), None, None],
        Op::Unary(_, x) | Op::Cast(_, x) => [Some(x), None, None],
        Op::Binary(_, a, b) => [Some(a), Some(b), None],
        Op::MulAdd(a, b, c) => [Some(a), Some(b), Some(c)],
        Op::Select { condition, then, otherwise } => [Some(condition), Some(then), Some(otherwise)],
    };
    list.into_iter().flatten()
}

/// The same operation on other operands.
pub(super) fn with_operands(op: &Op, f: impl Fn(ValueId) -> ValueId) -> Op {
    match op.clone() {
        Op::Lookup { table, index } => Op::Lookup { table, index: f(index) },
        Op::Unary(op, x) => Op::Unary(op, f(x)),
        Op::Cast(mode, x) => Op::Cast(mode, f(x)),
        Op::Binary(op, a, b) => Op::Binary(op, f(a), f(b)),
        Op::MulAdd(a, b, c) => Op::MulAdd(f(a), f(b), f(c)),
        Op::Select { condition, then, otherwise } => {
            Op::Select { condition: f(condition), then: f(then), otherwise: f(otherwise) }
        }
        leaf @ (Op::Constant(_)
        | Op::Input { .. }
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Derived { .. }) => leaf,
    }
}

/// The comparison with its sides exchanged; any other operation itself.
pub(super) fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
