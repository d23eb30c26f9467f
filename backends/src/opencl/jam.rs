//! Unrolls a body over the block of a schedule: one copy for each vector of a row and each row, what they share computed once.

use std::collections::HashMap;
use windrow_dsl::ir::{Body, Kernel, Node, Op, Store, Type, ValueId};

/// The body for `columns` vectors of `lanes` elements in each of `rows` rows.
pub fn jam(kernel: &Kernel, body: &Body, lanes: u32, columns: u32, rows: u32) -> Body {
    let mut jammed = Jam { nodes: Vec::new(), numbers: HashMap::new() };
    let mut stores = Vec::new();
    for row in 0..rows as i32 {
        for column in 0..columns as i32 {
            let (right, down) = (column * lanes as i32, row);
            let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
            for node in &body.nodes {
                let op = moved(kernel, &node.op, right, down, &ids);
                ids.push(jammed.number(node, op));
            }
            stores.extend(body.stores.iter().map(|store| Store {
                dx: right,
                dy: down,
                value: ids[store.value.0 as usize],
                ..store.clone()
            }));
        }
    }
    let body = Body { choice: body.choice.clone(), nodes: jammed.nodes, guards: Vec::new(), obligations: Vec::new(), stores };
    live(body)
}

/// The body without the values that no store needs.
fn live(body: Body) -> Body {
    let mut needed = vec![false; body.nodes.len()];
    for store in &body.stores {
        needed[store.value.0 as usize] = true;
    }
    for (index, node) in body.nodes.iter().enumerate().rev() {
        if needed[index] {
            for operand in super::operation::operands(&node.op) {
                needed[operand.0 as usize] = true;
            }
        }
    }
    let mut ids = Vec::with_capacity(body.nodes.len());
    let mut nodes = Vec::new();
    for (node, needed) in body.nodes.iter().zip(needed) {
        ids.push(ValueId(nodes.len() as u32));
        if needed {
            nodes.push(Node { op: renumbered(&node.op, &ids), ..node.clone() });
        }
    }
    let stores = body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() }).collect();
    Body { nodes, stores, ..body }
}

struct Jam {
    nodes: Vec<Node>,
    numbers: HashMap<(Op, Type), ValueId>,
}

impl Jam {
    fn number(&mut self, node: &Node, op: Op) -> ValueId {
        *self.numbers.entry((op.clone(), node.ty)).or_insert_with(|| {
            self.nodes.push(Node { op, guard: None, ..node.clone() });
            ValueId(self.nodes.len() as u32 - 1)
        })
    }
}

fn moved(kernel: &Kernel, op: &Op, right: i32, down: i32, ids: &[ValueId]) -> Op {
    match *op {
        Op::Input { input, channel, dx, dy } => {
            let (stride_x, stride_y) = kernel.inputs[input.0 as usize].stride;
            Op::Input { input, channel, dx: dx + right * stride_x as i32, dy: dy + down * stride_y as i32 }
        }
        Op::Coordinate { axis, offset } => {
            let by = match axis {
                windrow_dsl::ir::Axis::X => right,
                windrow_dsl::ir::Axis::Y => down,
            };
            Op::Coordinate { axis, offset: offset + by }
        }
        Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } | Op::Lookup { .. } => renumbered(op, ids),
        Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => renumbered(op, ids),
    }
}

/// The operation on its operands' new numbers.
fn renumbered(op: &Op, ids: &[ValueId]) -> Op {
    let at = |id: ValueId| ids[id.0 as usize];
    match *op {
        Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } | Op::Input { .. } | Op::Coordinate { .. } => op.clone(),
        Op::Lookup { table, index } => Op::Lookup { table, index: at(index) },
        Op::Unary(op, a) => Op::Unary(op, at(a)),
        Op::Binary(op, a, b) => Op::Binary(op, at(a), at(b)),
        Op::MulAdd(a, b, c) => Op::MulAdd(at(a), at(b), at(c)),
        Op::Select { condition, then, otherwise } => {
            Op::Select { condition: at(condition), then: at(then), otherwise: at(otherwise) }
        }
        Op::Cast(mode, a) => Op::Cast(mode, at(a)),
    }
}
