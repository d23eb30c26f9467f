//! The order of evaluation of a step's vectors.
//!
//! One row after the other keeps few values alive. Where each value is stored as soon as it is known, stores to neighbouring places in
//! memory also follow each other: with AVX2, erode3x3 and dilate3x3 take 1 to 2 % less time than one vector after the other.
//! Where many values are the same for the whole run, as the weights of a convolution are, the vectors of a row are computed
//! side by side instead: each of those values is read once for all.
//! Long sums over rows go row by row of the input, where fences keep the compiler from changing that.

use super::machine::Machine;
use windrow_dsl::ir::{Body, Node, Store, ValueId, check_vector};
use windrow_dsl::optimise::{in_demand_order, in_row_order};

/// The body in the order in which it is to be evaluated.
pub fn ordered(machine: &Machine, body: &Body) -> Body {
    let ordered = in_order(machine, body);
    check_vector(&ordered, "the order of evaluation");
    ordered
}

fn in_order(machine: &Machine, body: &Body) -> Body {
    let body = in_demand_order(body);
    if machine.orders_sums(&body) {
        return in_row_order(body);
    }
    if body.nodes.iter().filter(|node| node.op.is_word()).count() > machine.costs.held {
        return side_by_side(&body);
    }
    match machine.stores_early && !body.stores.is_sorted_by_key(row) {
        true => row_by_row(body),
        false => body,
    }
}

/// The row of the block that a store writes to.
fn row(store: &Store) -> i32 {
    store.place()[0]
}

/// The stores of each row in turn, and what they need.
fn row_by_row(mut body: Body) -> Body {
    body.stores.sort_by_key(row);
    in_demand_order(&body)
}

/// The values of each row's stores in turn.
fn side_by_side(body: &Body) -> Body {
    let mut rows: Vec<i32> = body.stores.iter().map(row).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut order = Sorter { body, seen: vec![false; body.nodes.len()], order: Vec::new() };
    for own in rows {
        let roots: Vec<&Store> = body.stores.iter().filter(|store| row(store) == own).collect();
        let mut lists: Vec<std::vec::IntoIter<ValueId>> =
            roots.iter().map(|store| needed(body, store.value).into_iter()).collect();
        while lists.iter().any(|list| list.len() > 0) {
            for id in lists.iter_mut().filter_map(Iterator::next) {
                order.add(id);
            }
        }
    }
    order.finish()
}

/// What a value needs, in order, itself last.
fn needed(body: &Body, root: ValueId) -> Vec<ValueId> {
    let mut is_needed = vec![false; body.nodes.len()];
    is_needed[root.0 as usize] = true;
    for index in (0..=root.0 as usize).rev() {
        if is_needed[index] {
            body.nodes[index].op.for_operands(|id| is_needed[id.0 as usize] = true);
        }
    }
    (0..=root.0).map(ValueId).filter(|id| is_needed[id.0 as usize]).collect()
}

struct Sorter<'a> {
    body: &'a Body,
    seen: Vec<bool>,
    order: Vec<ValueId>,
}

impl Sorter<'_> {
    fn add(&mut self, id: ValueId) {
        if !std::mem::replace(&mut self.seen[id.0 as usize], true) {
            self.order.push(id);
        }
    }

    fn finish(self) -> Body {
        let mut ids = vec![ValueId(0); self.body.nodes.len()];
        let mut nodes = Vec::with_capacity(self.order.len());
        for id in self.order {
            ids[id.0 as usize] = ValueId(nodes.len() as u32);
            let node = self.body.node(id);
            nodes.push(Node { op: node.op.map_operands(|id| ids[id.0 as usize]), ..node.clone() });
        }
        let stores = self.body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() });
        Body {
            nodes,
            stores: stores.collect(),
            guards: Vec::new(),
            obligations: Vec::new(),
            measured: Vec::new(),
            choice: self.body.choice.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::ir::{Op, Type, with_fault};
    use windrow_dsl::optimise::prepare;

    #[test]
    fn a_body_that_breaks_the_rules_is_found() {
        let compiled = windrow_dsl::compile_file("#[kernel] fn k(a: u8, b: u8) -> u8 { a ^ b }");
        let mut body = prepare(&compiled.kernels[0].kernel).bodies.remove(0);
        let order = |body: &Body| with_fault(|| ordered(&crate::neon::MACHINE, body)).1;
        assert_eq!(order(&body), None);
        for node in body.nodes.iter_mut().filter(|node| matches!(node.op, Op::Binary(..))) {
            node.ty = Type::U16;
        }
        assert!(order(&body).is_some_and(|fault| fault.starts_with("after the order of evaluation: ")));
    }
}
