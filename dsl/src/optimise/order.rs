//! The order of evaluation: each value just before its first use, in the order of the stores; or row by row.
//!
//! Few values are live at once then, and a tap is loaded where it is read.

use super::builder::{for_operands, map_operands};
use crate::ir::{BinaryOp, Body, Node, Op, Store, Type, ValueId};

/// The body with its values in the order in which its stores demand them; what none demands is gone.
pub fn in_demand_order(body: &Body) -> Body {
    let needs = needs(body);
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
                stack[first..].reverse();
                stack[first..].sort_by_key(|(operand, _)| needs[operand.0 as usize]);
            }
        }
    }
    in_order(body, order)
}

/// What each value needs while it is computed, as if it were a tree (Sethi and Ullman): the operand that needs most goes
/// first, as the others wait for less then.
fn needs(body: &Body) -> Vec<u32> {
    let mut needs: Vec<u32> = Vec::with_capacity(body.nodes.len());
    let mut operands = Vec::new();
    for node in &body.nodes {
        operands.clear();
        for_operands(&node.op, |operand| operands.push(needs[operand.0 as usize]));
        operands.sort_unstable_by(|a, b| b.cmp(a));
        let waiting = (0..).zip(&operands).map(|(before, need)| need + before).max();
        needs.push(match node.op {
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => 0,
            _ => waiting.unwrap_or(1).max(1),
        });
    }
    needs
}

/// The same row by row of the inputs: what the rows down to one suffice for stands before the loads of the next. Sums of
/// several rows that read one tap read it in turn then, and none of them keeps it for later.
pub fn in_row_order(body: &Body) -> Body {
    let body = &in_demand_order(body);
    let rows = last_rows(body);
    let mut order: Vec<ValueId> = (0..body.nodes.len() as u32).map(ValueId).collect();
    order.sort_by_key(|id| rows[id.0 as usize]);
    in_order(body, order)
}

/// The last row of an input that each value waits for; none for what reads no input.
pub fn last_rows(body: &Body) -> Vec<Option<i32>> {
    let mut rows: Vec<Option<i32>> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let mut row = if let Op::Input { dy, .. } = node.op { Some(dy) } else { None };
        for_operands(&node.op, |operand| row = row.max(rows[operand.0 as usize]));
        rows.push(row);
    }
    rows
}

/// Whether a body has long sums over several rows that no form regroups: of floats, whose order is fixed, or of products
/// with values of the run. Each can only wait for its next term.
pub fn sums_over_rows(body: &Body) -> bool {
    let rows = last_rows(body);
    body.nodes.iter().zip(&rows).any(|(node, row)| {
        let mut waits = false;
        for_operands(&node.op, |id| {
            let earlier = rows[id.0 as usize];
            waits |= earlier.is_some() && earlier < *row && adds_terms(body, body.node(id));
        });
        waits && adds_terms(body, node)
    })
}

/// Whether a body has such sums in whatever order of rows.
pub fn has_long_sums(body: &Body) -> bool {
    let is_continued = |node: &Node| {
        let mut continues = false;
        for_operands(&node.op, |id| continues |= adds_terms(body, body.node(id)));
        continues && adds_terms(body, node)
    };
    body.nodes.iter().any(is_continued)
}

/// Whether a value is a sum of floats, or one that a product with a value of the run is added to.
fn adds_terms(body: &Body, node: &Node) -> bool {
    use BinaryOp::{Add, Mul, WrappingAdd, WrappingMul};
    let is_of_run = |id: ValueId| match body.node(id).op {
        Op::Uniform { .. } | Op::Derived { .. } => true,
        Op::Cast(_, inner) => matches!(body.node(inner).op, Op::Uniform { .. } | Op::Derived { .. }),
        _ => false,
    };
    let is_product = |id: ValueId| match body.node(id).op {
        Op::Binary(Mul | WrappingMul, a, b) => is_of_run(a) || is_of_run(b),
        _ => false,
    };
    match node.op {
        Op::MulAdd(..) => true,
        Op::Binary(Add | BinaryOp::Sub, ..) if node.ty == Type::F32 => true,
        Op::Binary(Add | WrappingAdd, a, b) => is_product(a) || is_product(b),
        _ => false,
    }
}

/// The body with these values in this order.
fn in_order(body: &Body, order: Vec<ValueId>) -> Body {
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
    use crate::ir::{CastMode, Constant, InputId};

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

    /// Σ over three rows of one tap each, in floats or in integers.
    fn column(ty: Type, rows: &[i32]) -> Body {
        let mut raw = super::super::testing::Raw::default();
        let mut last = ValueId(0);
        for &first in rows {
            let mut sum = None;
            for dy in first..first + 3 {
                let tap = raw.raw(Op::Input { input: InputId(0), channel: 0, dx: 0, dy }, Type::U8);
                let tap = raw.raw(Op::Cast(CastMode::Value, tap), ty);
                sum = Some(sum.map_or(tap, |sum| raw.raw(Op::Binary(BinaryOp::Add, sum, tap), ty)));
            }
            last = sum.unwrap_or(last);
        }
        let zero = raw.raw(Op::Constant(Constant::Float(0)), Type::F32);
        let both = raw.raw(Op::Binary(BinaryOp::Max, last, zero), ty);
        raw.store(both)
    }

    #[test]
    fn rows_follow_each_other() {
        let body = in_row_order(&column(Type::F32, &[0]));
        let rows: Vec<Option<i32>> = last_rows(&body).into_iter().skip_while(Option::is_none).collect();
        assert!(rows.windows(2).all(|pair| pair[0] <= pair[1]), "{rows:?}");
    }

    #[test]
    fn long_sums_wait_for_their_terms() {
        assert!(sums_over_rows(&column(Type::F32, &[0])));
        assert!(!sums_over_rows(&column(Type::I32, &[0])));
    }
}
