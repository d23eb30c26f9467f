//! Which values of a body are one expression at different places: a numbering up to shifts along axes.

use crate::ir::{AxisId, Body, Numbers, Op, ValueId};
use crate::quick::QuickMap;

/// A value as one of its class. As an operand, its steps are counted from its user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member<const N: usize> {
    /// The class, by the order of first values.
    pub class: u32,
    /// How many steps it lies along each axis; none where it is the same everywhere.
    pub steps: Option<[i32; N]>,
}

/// The class of each value, where a step along each of the axes counts so many elements.
pub fn shifted<const N: usize>(body: &Body, axes: [(AxisId, i64); N]) -> Vec<Member<N>> {
    let mut known = Numbers::default();
    let mut operands: QuickMap<Member<N>, u32> = QuickMap::default();
    let mut members: Vec<Member<N>> = Vec::with_capacity(body.nodes.len());
    for node in &body.nodes {
        let own = steps(&node.op, axes);
        let steps = own.or_else(|| least(&members, &node.op));
        let op = node.op.map_operands(|id| {
            let member = members[id.0 as usize];
            let relative = |own: [i32; N]| std::array::from_fn(|axis| own[axis] - steps.unwrap_or([0; N])[axis]);
            let count = operands.len() as u32;
            ValueId(*operands.entry(Member { steps: member.steps.map(relative), ..member }).or_insert(count))
        });
        let op = match op {
            Op::Binary(op, a, b) if op.commutes() && b < a => Op::Binary(op, b, a),
            op if own.is_some() => at_steps(op, axes, [0; N]),
            op => op,
        };
        members.push(Member { class: known.of(&op, node.ty).0, steps });
    }
    members
}

/// How many steps along the axes an element or a coordinate lies; none for other values.
fn steps<const N: usize>(op: &Op, axes: [(AxisId, i64); N]) -> Option<[i32; N]> {
    match *op {
        Op::Load(ref access) => {
            let own = axes.map(|(axis, by)| access.steps(axis, by));
            own.iter().any(Option::is_some).then(|| own.map(|steps| steps.unwrap_or(0) as i32))
        }
        Op::Coordinate { axis, offset } if axes.iter().any(|&(own, _)| own == axis) => {
            Some(axes.map(|(own, by)| if own == axis { offset.div_euclid(by as i32) } else { 0 }))
        }
        _ => None,
    }
}

/// The same element or coordinate as it is found at these steps.
pub fn at_steps<const N: usize>(op: Op, axes: [(AxisId, i64); N], at: [i32; N]) -> Op {
    let Some(own) = steps(&op, axes) else { return op };
    let by: [_; N] = std::array::from_fn(|place| {
        let (axis, by) = axes[place];
        (axis, by * i64::from(at[place] - own[place]))
    });
    op.moved(&by)
}

/// The least steps of an operation's operands; none where all are the same everywhere.
fn least<const N: usize>(members: &[Member<N>], op: &Op) -> Option<[i32; N]> {
    let steps = op.operands().iter().filter_map(|id| members[id.0 as usize].steps).collect::<Vec<_>>();
    steps.into_iter().reduce(|a, b| std::array::from_fn(|axis| a[axis].min(b[axis])))
}
