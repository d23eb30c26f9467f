//! The comparisons that choices rest on, in the direction that every machine has.
//!
//! Of unsigned integers x86 compares `≥` (the greater of both is the one), of signed ones `>`, and no machine compares `≠`:
//! the others are a comparison and its inverse. A choice by such a one exchanges its arms instead. So it does not matter
//! how an author turned the question.

use super::Builder;
use crate::arithmetic::is_signed;
use crate::ir::{BinaryOp, Body, Node, Op, Type, ValueId};

/// The body with its choices between values that are no constants turned round where that is cheaper. (A constant arm may
/// be a mask already.)
pub fn turned(body: Body) -> Body {
    if !body.nodes.iter().any(|node| matches!(node.op, Op::Select { .. })) {
        return body;
    }
    let mut builder = Builder::with_capacity(body.nodes.len());
    let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let op = super::map_operands(&node.op, |id| ids[id.0 as usize]);
        let op = turn(&mut builder, node, op);
        ids.push(builder.push(Node { op, guard: None, ..node.clone() }));
    }
    builder.finish(&body, &ids)
}

fn turn(builder: &mut Builder, node: &Node, op: Op) -> Op {
    match op {
        Op::Select { condition, then, otherwise }
            if is_dear(builder, condition) && [then, otherwise].iter().all(|&arm| builder.constant(arm).is_none()) =>
        {
            Op::Select { condition: inverse(builder, node, condition), then: otherwise, otherwise: then }
        }
        op => op,
    }
}

/// Whether a machine inverts what it compared. Of several comparisons, all must be so.
fn is_dear(builder: &Builder, condition: ValueId) -> bool {
    match builder.node(condition).op {
        Op::Binary(BinaryOp::And | BinaryOp::Or, a, b) => is_dear(builder, a) && is_dear(builder, b),
        Op::Binary(op, a, _) => inverted(op, builder.node(a).ty).is_some(),
        _ => false,
    }
}

/// The opposite of a comparison that machines don't have.
fn inverted(op: BinaryOp, ty: Type) -> Option<BinaryOp> {
    let is_unsigned = ty != Type::Bool && ty != Type::F32 && !is_signed(ty);
    match op {
        BinaryOp::Gt if is_unsigned => Some(BinaryOp::Le),
        BinaryOp::Lt if is_unsigned => Some(BinaryOp::Ge),
        BinaryOp::Ge if is_signed(ty) && ty != Type::F32 => Some(BinaryOp::Lt),
        BinaryOp::Le if is_signed(ty) && ty != Type::F32 => Some(BinaryOp::Gt),
        BinaryOp::Ne if ty != Type::Bool => Some(BinaryOp::Eq),
        _ => None,
    }
}

/// The opposite of a condition of which every comparison is dear.
fn inverse(builder: &mut Builder, like: &Node, condition: ValueId) -> ValueId {
    let op = match builder.node(condition).op {
        Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let other = if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
            let (a, b) = (inverse(builder, like, a), inverse(builder, like, b));
            Op::Binary(other, a, b)
        }
        Op::Binary(op, a, b) => match inverted(op, builder.node(a).ty) {
            Some(other) => Op::Binary(other, a, b),
            None => return condition,
        },
        _ => return condition,
    };
    builder.op(op, Type::Bool, like)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, u8_body};
    use super::*;
    use crate::ir::Constant;

    fn chosen(op: BinaryOp) -> String {
        let body = u8_body(|b, x, y| {
            let other = b.input(2, Type::U8);
            let condition = b.raw(Op::Binary(op, x, y), Type::Bool);
            b.raw(Op::Select { condition, then: x, otherwise: other }, Type::U8)
        });
        lines(&super::super::remove_dead(&turned(body))).join("; ")
    }

    #[test]
    fn a_dear_comparison_exchanges_the_arms() {
        let same = chosen(BinaryOp::Le);
        assert!(same.contains("Le v0 v1") && same.ends_with("Select v3 v0 v2"), "{same}");
        let turned = chosen(BinaryOp::Gt);
        assert!(turned.contains("Le v0 v1") && turned.ends_with("Select v3 v2 v0"), "{turned}");
        assert!(chosen(BinaryOp::Ne).contains("Eq v0 v1"));
    }

    #[test]
    fn a_constant_arm_stays_where_it_is() {
        let body = u8_body(|b, x, y| {
            let condition = b.raw(Op::Binary(BinaryOp::Gt, x, y), Type::Bool);
            let ones = b.raw(Op::Constant(Constant::Int(255)), Type::U8);
            b.raw(Op::Select { condition, then: ones, otherwise: y }, Type::U8)
        });
        assert!(lines(&turned(body)).iter().any(|line| line.starts_with("Gt")));
    }
}
