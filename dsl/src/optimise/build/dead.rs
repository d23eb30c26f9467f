//! Dead code: a value that no store needs is not computed.

use crate::ir::Range;
use crate::ir::{Body, Node, Store, ValueId};

/// The body with only what its stores need.
pub fn remove_dead(body: &Body) -> Body {
    let roots = body.stores.iter().map(|store| store.value);
    let (nodes, ids) = keep_needed(&body.nodes, roots);
    let stores = body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() });
    Body::plain(body.choice.clone(), nodes, stores.collect())
}

/// The same of a body that is not kept; of what is `known` about values, where it is about all, that about those which stay.
pub fn without_dead(body: Body, known: &mut Vec<Option<Range>>) -> Body {
    let needed = needed(&body.nodes, body.stores.iter().map(|store| store.value));
    if !needed.contains(&false) {
        return Body { guards: Vec::new(), obligations: Vec::new(), measured: Vec::new(), ..body };
    }
    if known.len() == needed.len() {
        let mut place = 0;
        known.retain(|_| {
            place += 1;
            needed[place - 1]
        });
    }
    remove_dead(&body)
}

/// The nodes that `roots` need, and where each went; the entry of a removed node is unspecified.
pub fn keep_needed(nodes: &[Node], roots: impl IntoIterator<Item = ValueId>) -> (Vec<Node>, Vec<ValueId>) {
    let needed = needed(nodes, roots);
    let mut kept = Vec::with_capacity(nodes.len());
    let mut ids = vec![ValueId(0); nodes.len()];
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        ids[index] = ValueId(kept.len() as u32);
        kept.push(Node { op: node.op.map_operands(|id| ids[id.0 as usize]), name: node.name.clone(), ..*node });
    }
    (kept, ids)
}

/// Whether each node is one that `roots` need; every operand stands before its user.
pub(in crate::optimise) fn needed(nodes: &[Node], roots: impl IntoIterator<Item = ValueId>) -> Vec<bool> {
    let mut needed = vec![false; nodes.len()];
    for root in roots {
        needed[root.0 as usize] = true;
    }
    for (index, node) in nodes.iter().enumerate().rev() {
        if needed[index] {
            node.op.for_operands(|id| needed[id.0 as usize] = true);
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BinaryOp, Op, Type};
    use crate::optimise::testing::{lines, u8_body};

    #[test]
    fn what_nobody_stores_is_gone() {
        let body = u8_body(|b, x, y| {
            b.raw(Op::Binary(BinaryOp::Max, x, y), Type::U8);
            b.raw(Op::Binary(BinaryOp::AbsDiff, y, y), Type::U8)
        });
        assert_eq!(lines(&body).len(), 4);
        assert_eq!(lines(&remove_dead(&body)), ["b.0[0, 0]", "AbsDiff v0 v0"]);
        let alive = without_dead(body, &mut Vec::new());
        assert_eq!(lines(&alive), ["b.0[0, 0]", "AbsDiff v0 v0"]);
        assert_eq!(lines(&without_dead(alive.clone(), &mut Vec::new())), lines(&alive));
    }
}
