//! The comparisons that choices rest on, in the direction that every machine has.
//!
//! Of unsigned integers x86 compares `≥` (the greater of both is the one), of signed ones `>`, and no machine compares `≠`:
//! the others are a comparison and its inverse. A choice by such a one exchanges its arms instead. So it does not matter
//! how an author turned the question.

use crate::ir::loops::has_loops;
use crate::ir::{AxisId, BinaryOp, Body, Node, Op, Type, ValueId, along};
use crate::optimise::Builder;
use std::collections::BTreeMap;

/// Exchanges the arms of choices between non-constant values where that is cheaper. (A constant arm may
/// be a mask already.)
pub fn turned(body: Body) -> Body {
    if !body.nodes.iter().any(|node| matches!(node.op, Op::Select { .. })) {
        return body;
    }
    let mut turned = Turned::with_capacity(body.nodes.len());
    let along = if has_loops(&body.nodes) { along(&body.nodes) } else { Vec::new() };
    let ids = body.rewrite(|value, op| {
        // In a body with loops, what is the same for all lanes is compared by no vector.
        let is_single = match value.node.op {
            Op::Select { condition, .. } => along.get(condition.0 as usize).is_some_and(|axes| !axes.has(AxisId::X)),
            _ => false,
        };
        let op = if is_single { op } else { turned.turn(value.node, op) };
        turned.builder.push(value.with(op))
    });
    turned.builder.finish(&body, &ids)
}

/// A body whose choices get inverted conditions and exchanged arms. Conditions share parts, so what is known about each is kept.
struct Turned {
    builder: Builder,
    /// Of each value so far, whether every comparison that it is made of would have to be inverted by the machine.
    needs_inversion: Vec<bool>,
    /// The opposites of conditions so far.
    opposites: BTreeMap<ValueId, ValueId>,
}

impl Turned {
    fn with_capacity(count: usize) -> Self {
        let builder = Builder::with_capacity(count);
        Self { builder, needs_inversion: Vec::with_capacity(count), opposites: BTreeMap::new() }
    }

    fn turn(&mut self, node: &Node, op: Op) -> Op {
        let varies = |arm: ValueId| self.builder.constant(arm).is_none();
        match op {
            Op::Select { condition, then, otherwise }
                if varies(then) && varies(otherwise) && self.needs_inversion(condition) =>
            {
                Op::Select { condition: self.opposite(node, condition), then: otherwise, otherwise: then }
            }
            op => op,
        }
    }

    /// Whether the machine would invert what it compared. Of several comparisons, all must be so.
    fn needs_inversion(&mut self, condition: ValueId) -> bool {
        for index in self.needs_inversion.len()..self.builder.count() {
            self.needs_inversion.push(match self.builder.nodes()[index].op {
                Op::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                    self.needs_inversion[a.0 as usize] && self.needs_inversion[b.0 as usize]
                }
                Op::Binary(op, a, _) => inverted(op, self.builder.node(a).ty).is_some(),
                _ => false,
            });
        }
        self.needs_inversion[condition.0 as usize]
    }

    /// The opposite of a condition whose comparisons all lack an instruction: operands first, each once.
    fn opposite(&mut self, like: &Node, condition: ValueId) -> ValueId {
        let mut pending = vec![condition];
        while let Some(&id) = pending.last() {
            let op = match self.builder.node(id).op {
                _ if self.opposites.contains_key(&id) => {
                    pending.pop();
                    continue;
                }
                Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                    match (self.opposites.get(&a), self.opposites.get(&b)) {
                        (Some(&a), Some(&b)) => {
                            let other = if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
                            Some(Op::Binary(other, a, b))
                        }
                        (None, _) => {
                            pending.push(a);
                            continue;
                        }
                        (Some(_), None) => {
                            pending.push(b);
                            continue;
                        }
                    }
                }
                Op::Binary(op, a, b) => {
                    inverted(op, self.builder.node(a).ty).map(|opposite| Op::Binary(opposite, a, b))
                }
                _ => None,
            };
            let opposite = op.map_or(id, |op| self.builder.op(op, Type::BOOL, like));
            self.opposites.insert(id, opposite);
            pending.pop();
        }
        self.opposites[&condition]
    }
}

/// The opposite of a comparison that machines don't have.
fn inverted(op: BinaryOp, ty: Type) -> Option<BinaryOp> {
    let lacks_instruction = match op {
        BinaryOp::Gt | BinaryOp::Lt => ty.is_integer() && !ty.is_signed(),
        BinaryOp::Ge | BinaryOp::Le => ty.is_signed(),
        BinaryOp::Ne => ty != Type::BOOL,
        _ => false,
    };
    op.inverse(ty).filter(|_| lacks_instruction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Constant;
    use crate::optimise::testing::{lines, u8_body};

    fn chosen(op: BinaryOp) -> String {
        let body = u8_body(|b, x, y| {
            let other = b.input(2, Type::U8);
            let condition = b.raw(Op::Binary(op, x, y), Type::BOOL);
            b.raw(Op::Select { condition, then: x, otherwise: other }, Type::U8)
        });
        lines(&crate::optimise::remove_dead(&turned(body))).join("; ")
    }

    #[test]
    fn a_comparison_without_an_instruction_exchanges_the_arms() {
        let same = chosen(BinaryOp::Le);
        assert!(same.contains("Le v0 v1") && same.ends_with("Select v3 v0 v2"), "{same}");
        let turned = chosen(BinaryOp::Gt);
        assert!(turned.contains("Le v0 v1") && turned.ends_with("Select v3 v2 v0"), "{turned}");
        assert!(chosen(BinaryOp::Ne).contains("Eq v0 v1"));
    }

    #[test]
    fn a_constant_arm_stays_where_it_is() {
        let body = u8_body(|b, x, y| {
            let condition = b.raw(Op::Binary(BinaryOp::Gt, x, y), Type::BOOL);
            let ones = b.raw(Op::Constant(Constant::Int(255)), Type::U8);
            b.raw(Op::Select { condition, then: ones, otherwise: y }, Type::U8)
        });
        assert!(lines(&turned(body)).iter().any(|line| line.starts_with("Gt")));
    }
}
