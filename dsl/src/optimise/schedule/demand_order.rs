//! The order of evaluation: each value just before its first use, in the order of the stores; or row by row.
//!
//! Few values are live at once then, and a tap is loaded where it is read.

use crate::ir::Overflow::{Never, Wrap};
use crate::ir::{BinaryOp, Body, Node, Op, Store, Type, ValueId};
use std::cmp::Reverse;

/// The body with its values in the order in which its stores demand them; what none demands is gone.
pub fn in_demand_order(body: &Body) -> Body {
    let mut demand = Demand::default();
    demand.add(&body.nodes, &body.stores);
    let Demand { nodes, stores, .. } = demand;
    Body::plain(body.choice.clone(), nodes, stores)
}

/// A body in the order of demand under construction: the values of more stores follow those of the first.
#[derive(Debug, Default)]
pub(super) struct Demand {
    /// The values, in the order of demand.
    pub nodes: Vec<Node>,
    /// The stores of these values.
    pub stores: Vec<Store>,
    /// What each value of the body as it was needs ([`need`]).
    needs: Vec<u32>,
    /// How far the walk has come with it: [`NEW`], [`WAITS`], or its place among those that went before plus [`PLACED`].
    places: Vec<u32>,
}

/// Nobody has asked for the value yet.
const NEW: u32 = 0;
/// Its operands come first.
const WAITS: u32 = 1;
/// What is added to its place.
const PLACED: u32 = 2;

impl Demand {
    /// Adds what `stores` demand of `nodes`, the first of which are known from before.
    pub fn add(&mut self, nodes: &[Node], stores: &[Store]) {
        for node in &nodes[self.needs.len()..] {
            self.needs.push(need(&node.op, &self.needs));
        }
        self.places.resize(nodes.len(), NEW);
        self.nodes.reserve(nodes.len().saturating_sub(self.nodes.len()));
        let (needs, places) = (&self.needs, &mut self.places);
        // Depth first, with a stack of its own, as chains may be long: a value asks for its operands once, while it waits.
        let mut stack: Vec<ValueId> = Vec::new();
        for store in stores {
            stack.push(store.value);
            while let Some(id) = stack.pop() {
                let place = id.0 as usize;
                let node = &nodes[place];
                if places[place] == NEW {
                    places[place] = WAITS;
                    stack.push(id);
                    let mut operands = node.op.operands();
                    neediest_first(&mut operands, needs);
                    stack.extend(operands.iter().rev());
                } else if places[place] == WAITS {
                    places[place] = self.nodes.len() as u32 + PLACED;
                    let op = node.op.map_operands(|id| ValueId(places[id.0 as usize] - PLACED));
                    self.nodes.push(Node { op, name: node.name.clone(), ..*node });
                }
            }
            let value = ValueId(places[store.value.0 as usize] - PLACED);
            self.stores.push(Store { value, ..store.clone() });
        }
    }
}

/// What a value needs while it is computed, as if it were a tree (Sethi and Ullman): the operand that needs most goes
/// first, as the others wait for less then.
fn need(op: &Op, needs: &[u32]) -> u32 {
    if op.is_word() {
        return 0;
    }
    let mut operands = op.operands();
    neediest_first(&mut operands, needs);
    let need = |(before, id): (u32, &ValueId)| needs[id.0 as usize] + before;
    (0..).zip(operands.iter()).map(need).fold(1, u32::max)
}

/// Sorts the first operands by what they need, those that need most first; of equals, the order stays.
fn neediest_first(operands: &mut [ValueId], needs: &[u32]) {
    operands.sort_by_key(|id| Reverse(needs[id.0 as usize]));
}

/// A body in the order of demand, row by row of the inputs: what the rows down to one suffice for stands before the loads
/// of the next. Sums of several rows that read one tap read it in turn then, and none of them keeps it for later.
pub fn in_row_order(body: Body) -> Body {
    let (nodes, stores) = row_order(&body.nodes, &body.stores);
    Body { nodes, stores, ..body }
}

/// Values in the order of demand, row by row of the inputs.
pub(super) fn row_order(nodes: &[Node], stores: &[Store]) -> (Vec<Node>, Vec<Store>) {
    let (rows, count) = numbered_rows(nodes);
    let mut ids = vec![ValueId(0); nodes.len()];
    let mut ordered = Vec::with_capacity(nodes.len());
    for row in 0..count {
        for (index, node) in nodes.iter().enumerate().filter(|(index, _)| rows[*index] == row) {
            ids[index] = ValueId(ordered.len() as u32);
            let op = node.op.map_operands(|id| ids[id.0 as usize]);
            ordered.push(Node { op, name: node.name.clone(), ..*node });
        }
    }
    let moved = |store: &Store| Store { value: ids[store.value.0 as usize], ..store.clone() };
    (ordered, stores.iter().map(moved).collect())
}

/// The last row of an input that each value waits for, as its number among these rows, what reads no input first; and how
/// many there are.
fn numbered_rows(nodes: &[Node]) -> (Vec<usize>, usize) {
    let rows = last_rows(nodes);
    let mut known = rows.clone();
    known.sort_unstable();
    known.dedup();
    (rows.iter().map(|row| known.partition_point(|known| known < row)).collect(), known.len())
}

/// The last row of an input that each value waits for; none for what reads no input.
pub fn last_rows(nodes: &[Node]) -> Vec<Option<i32>> {
    let mut rows: Vec<Option<i32>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let own = node.op.tap().map(|tap| tap.dy);
        rows.push(node.op.operands().into_iter().map(|id| rows[id.0 as usize]).fold(own, Option::max));
    }
    rows
}

/// Whether a body has long sums over several rows that no form regroups: of floats, whose order is fixed, or of products
/// with uniform values. Each can only wait for its next term.
pub fn sums_over_rows(nodes: &[Node]) -> bool {
    if !has_long_sums(nodes) {
        return false;
    }
    let rows = last_rows(nodes);
    nodes.iter().zip(&rows).any(|(node, row)| {
        let mut waits = false;
        node.op.for_operands(|id| {
            let earlier = rows[id.0 as usize];
            waits |= earlier.is_some() && earlier < *row && adds_terms(nodes, &nodes[id.0 as usize]);
        });
        waits && adds_terms(nodes, node)
    })
}

/// Whether a body has such sums in whatever order of rows.
pub fn has_long_sums(nodes: &[Node]) -> bool {
    let adds = |node: &Node| adds_terms(nodes, node);
    nodes.iter().any(|node| adds(node) && node.op.operands().iter().any(|id| adds(&nodes[id.0 as usize])))
}

/// Whether a value is a sum of floats, or one to which a product with a uniform value is added.
fn adds_terms(nodes: &[Node], node: &Node) -> bool {
    use BinaryOp::{Add, Mul};
    let is_uniform = |id: ValueId| match nodes[id.0 as usize].op {
        Op::Uniform { .. } | Op::Derived { .. } => true,
        Op::Cast(_, inner) => matches!(nodes[inner.0 as usize].op, Op::Uniform { .. } | Op::Derived { .. }),
        _ => false,
    };
    let is_product = |id: ValueId| match nodes[id.0 as usize].op {
        Op::Binary(Mul(Never | Wrap), a, b) => is_uniform(a) || is_uniform(b),
        _ => false,
    };
    match node.op {
        Op::MulAdd(..) => true,
        Op::Binary(Add(Never) | BinaryOp::Sub(Never), ..) if node.ty == Type::F32 => true,
        Op::Binary(Add(Never | Wrap), a, b) => is_product(a) || is_product(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{CastMode, Constant, InputId, Tap};
    use crate::optimise::testing::{lines, u8_body};

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
        let mut raw = crate::optimise::testing::Raw::default();
        let mut last = ValueId(0);
        for &first in rows {
            let mut sum = None;
            for dy in first..first + 3 {
                let tap = raw.raw(Tap { input: InputId(0), channel: 0, dx: 0, dy }.op(), Type::U8);
                let tap = raw.raw(Op::Cast(CastMode::Value, tap), ty);
                sum = Some(sum.map_or(tap, |sum| raw.raw(Op::Binary(BinaryOp::Add(Never), sum, tap), ty)));
            }
            last = sum.unwrap_or(last);
        }
        let zero = raw.raw(Op::Constant(Constant::Float(0)), Type::F32);
        let both = raw.raw(Op::Binary(BinaryOp::Max, last, zero), ty);
        raw.store(both)
    }

    #[test]
    fn rows_follow_each_other() {
        let body = in_row_order(in_demand_order(&column(Type::F32, &[0])));
        let rows: Vec<Option<i32>> = last_rows(&body.nodes).into_iter().skip_while(Option::is_none).collect();
        assert!(rows.windows(2).all(|pair| pair[0] <= pair[1]), "{rows:?}");
    }

    #[test]
    fn long_sums_wait_for_their_terms() {
        assert!(sums_over_rows(&column(Type::F32, &[0]).nodes));
        assert!(!sums_over_rows(&column(Type::I32, &[0]).nodes));
    }
}
