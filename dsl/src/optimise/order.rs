//! The order of evaluation: each value just before its first use, in the order of the stores.
//!
//! Few values are live at once then, and a tap is loaded where it is read.

use super::builder::{for_operands, map_operands};
use crate::ir::{Body, Node, Op, Store, ValueId};

/// The body with its values in the order in which its stores demand them; what none demands is gone.
pub fn in_demand_order(body: &Body) -> Body {
    let mut order = Vec::with_capacity(body.nodes.len());
    let mut seen = vec![false; body.nodes.len()];
    // Depth first, with a stack of its own, as chains may be long: a value, and whether its operands are done.
    let mut stack = Vec::new();
    for root in &body.stores {
        stack.push((root.value, false));
        while let Some((id, ready)) = stack.pop() {
            if ready {
                order.push(id);
            } else if !std::mem::replace(&mut seen[id.0 as usize], true) {
                stack.push((id, true));
                let first = stack.len();
                for_operands(&body.node(id).op, |operand| stack.push((operand, false)));
                // What a product is added to comes first: its factors would wait for a whole chain of sums.
                if !matches!(body.node(id).op, Op::MulAdd(..)) {
                    stack[first..].reverse();
                }
            }
        }
    }
    let mut ids = vec![ValueId(0); body.nodes.len()];
    let mut nodes = Vec::with_capacity(order.len());
    for id in order {
        ids[id.0 as usize] = ValueId(nodes.len() as u32);
        let node = body.node(id);
        nodes.push(Node { op: map_operands(&node.op, |id| ids[id.0 as usize]), ..node.clone() });
    }
    let stores =
        body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() }).collect();
    Body { choice: body.choice.clone(), nodes, guards: Vec::new(), obligations: Vec::new(), stores }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, u8_body};
    use super::*;
    use crate::ir::{BinaryOp, Type};

    #[test]
    fn operands_stand_before_their_first_use() {
        let body = u8_body(|b, x, y| {
            let late = b.raw(Op::Binary(BinaryOp::And, x, x), Type::U8);
            let early = b.raw(Op::Binary(BinaryOp::Or, y, y), Type::U8);
            b.raw(Op::Binary(BinaryOp::Xor, early, late), Type::U8)
        });
        let expected = ["b.0[0, 0]", "Or v0 v0", "a.0[0, 0]", "And v2 v2", "Xor v1 v3"];
        assert_eq!(lines(&in_demand_order(&body)), expected);
    }
}
