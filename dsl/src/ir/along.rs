//! Along which axes each value varies: where a value is computed is read off that.

use super::{Axes, AxisId, Node, Op, ValueId};
use std::collections::BTreeMap;

impl Op {
    /// What it varies along, whatever its operands do.
    pub fn own_axes(&self) -> Axes {
        match self {
            Op::Load(access) => {
                let terms = access.at().iter().flat_map(|place| place.terms());
                terms.map(|&(axis, _)| Axes::of(axis)).collect::<Axes>() | Axes::RUNS
            }
            Op::Coordinate { axis, .. } | Op::Local { axis, .. } => Axes::of(*axis),
            Op::Lookup { .. } | Op::Extent { .. } | Op::Stride { .. } | Op::Gather { .. } | Op::Fetch { .. } => {
                Axes::RUNS
            }
            // An element a lane.
            Op::Contiguous { axis, .. } => Axes::of(*axis) | Axes::RUNS,
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => Axes::NONE,
            // A target's numbers of planes are from its strides.
            Op::Plane { .. } => Axes::RUNS,
            Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) | Op::Across { .. } => {
                Axes::NONE
            }
            // No word is computed by a loop.
            Op::Turn { axis, .. } => Axes::of(*axis) | Axes::RUNS,
            Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => Axes::NONE,
        }
    }
}

/// What each value of a list varies along: what its operands do, and its own operation. What is behind a loop does not vary
/// along it. The variables of a loop vary along what one of them does behind it.
pub fn along(nodes: &[Node]) -> Vec<Axes> {
    along_with(nodes, None, false)
}

/// The same, where each variable of a loop varies along its own axes behind it too.
pub fn along_apart(nodes: &[Node]) -> Vec<Axes> {
    along_with(nodes, None, true)
}

/// [`along_apart`], where nothing varies along what only the end of one loop, given by its turn, varies along: what a turn of it
/// computes.
pub fn along_but_end(nodes: &[Node], turn: ValueId) -> Vec<Axes> {
    along_with(nodes, Some(turn), true)
}

fn along_with(nodes: &[Node], but_end: Option<ValueId>, is_apart: bool) -> Vec<Axes> {
    let mut along: Vec<Axes> = Vec::with_capacity(nodes.len());
    // What a turn leaves in a variable is in it in the next one: known once the list of the loop has been seen.
    let mut left: BTreeMap<ValueId, Axes> = BTreeMap::new();
    loop {
        let mut grew = false;
        for (index, node) in nodes.iter().enumerate() {
            let mut axes = node.op.own_axes();
            match node.op {
                Op::Turn { start, .. } if but_end == Some(ValueId(index as u32)) => {
                    axes = axes | along[start.0 as usize];
                }
                Op::Outcome { carried, .. } if is_apart => axes = axes | along[carried.0 as usize],
                _ => node.op.for_operands(|id| axes = axes | along[id.0 as usize]),
            }
            match node.op {
                Op::Carried { .. } => axes = axes | left.get(&ValueId(index as u32)).copied().unwrap_or_default(),
                Op::Advance { carried, after, .. } => {
                    let own = left.entry(carried).or_default();
                    grew |= (*own | along[after.0 as usize]) != *own;
                    *own = *own | along[after.0 as usize];
                }
                Op::Outcome { carried, .. } => axes = axes.without(axis_of_loop(nodes, carried)),
                Op::Across { .. } => axes = axes.without(AxisId::LANE),
                Op::Local { .. } => axes = axes.without_all(axes.of_group()),
                _ => {}
            }
            along.push(axes);
        }
        if !grew {
            return along;
        }
        along.clear();
    }
}

/// The axis of the loop that a variable belongs to.
fn axis_of_loop(nodes: &[Node], carried: ValueId) -> AxisId {
    let turn = |id: ValueId| if let Op::Turn { axis, .. } = nodes[id.0 as usize].op { Some(axis) } else { None };
    match nodes[carried.0 as usize].op {
        Op::Carried { turn: own, .. } => turn(own),
        _ => None,
    }
    .unwrap_or(AxisId::Y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Access, Affine, BinaryOp, Constant, InputId, TableId, Type, UniformId, ValueId, image_place};
    use proc_macro2::Span;

    #[test]
    fn a_value_varies_along_what_it_is_computed_from() {
        let [y, x] = image_place((1, 2));
        let column = Access::new(InputId(0), 0, [Affine::new(&[], 3), x.clone()]);
        let sum = |a, b| Op::Binary(BinaryOp::Xor, ValueId(a), ValueId(b));
        let (row, columns, runs) = (Axes::of(AxisId::Y), Axes::of(AxisId::X), Axes::RUNS);
        let values = [
            (Op::Constant(Constant::Int(1)), Axes::NONE),
            (Op::Uniform { uniform: UniformId(0), index: 0 }, Axes::NONE),
            (sum(0, 1), Axes::NONE),
            (Op::Lookup { table: TableId(0), index: ValueId(2) }, runs),
            (Op::Coordinate { axis: AxisId::Y, offset: 1 }, row),
            (sum(4, 2), row),
            (Op::Load(column), columns | runs),
            (Op::Load(Access::new(InputId(0), 0, [y, x])), row | columns | runs),
            (sum(5, 6), row | columns | runs),
        ];
        let node = |op: &Op| Node { op: op.clone(), ty: Type::I32, guard: None, name: None, span: Span::call_site() };
        let nodes: Vec<Node> = values.iter().map(|(op, _)| node(op)).collect();
        assert_eq!(along(&nodes), values.map(|(_, axes)| axes));
    }
}
