//! The loops at run time of a flat list of values: which values a turn computes, and in which order everything is computed.
//!
//! A loop is four kinds of values. [`Op::Turn`] is its variable, [`Op::Carried`] what a variable of the author's holds when a turn
//! begins, [`Op::Advance`] what the turn leaves in it, and [`Op::Outcome`] what it holds behind the loop. No value names one that
//! comes after it, so a pass that maps a list in order needs to know nothing of loops. What a turn computes is read off: it is
//! what varies along the loop's axis.

use super::{Axes, AxisId, Body, Node, Op, Store, ValueId, along};

/// The lanes of a sum whose order is [`Order::Lanes`](super::Order::Lanes).
pub use windrow_reference::reduce::LANES;

/// What is computed next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A value.
    Value(ValueId),
    /// The turns of a loop.
    Loop(Loop),
}

/// A loop at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its [`Op::Turn`].
    pub turn: ValueId,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// What a turn computes, in order.
    pub body: Vec<Step>,
}

/// A variable that a loop carries from turn to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it holds in a turn: an [`Op::Carried`].
    pub carried: ValueId,
    /// What it holds before the first.
    pub before: ValueId,
    /// What the next turn finds in it.
    pub after: ValueId,
}

/// Whether a list has loops.
pub fn has_loops(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| matches!(node.op, Op::Turn { .. }))
}

/// The values of a list in the order in which they are computed, those of a turn inside their loop. A loop stands right before the
/// first value that is known behind it.
pub fn steps(nodes: &[Node]) -> Vec<Step> {
    if !has_loops(nodes) {
        return (0..nodes.len() as u32).map(|id| Step::Value(ValueId(id))).collect();
    }
    let along = along(nodes);
    let around = (AxisId::COUNT..AxisId::COUNT + AxisId::LOOPS).map(|axis| around(nodes, &along, AxisId(axis)));
    Levels { nodes, along: &along, around: around.collect() }.steps(None)
}

/// A body whose values are listed in the order in which they are computed: those of a loop side by side.
pub fn in_order(body: Body) -> Body {
    if has_loops(&body.nodes) {
        {
            let order = order(&body.nodes);
            listed(body, &order)
        }
    } else {
        body
    }
}

/// The values of a list in the order in which they are computed.
pub fn order(nodes: &[Node]) -> Vec<ValueId> {
    let mut order = Vec::with_capacity(nodes.len());
    flatten(&steps(nodes), &mut order);
    order
}

/// A body whose values are listed in this order.
pub fn listed(body: Body, order: &[ValueId]) -> Body {
    let mut ids = vec![ValueId(0); body.nodes.len()];
    let mut nodes = Vec::with_capacity(order.len());
    for &id in order {
        let node = &body.nodes[id.0 as usize];
        ids[id.0 as usize] = ValueId(nodes.len() as u32);
        nodes.push(Node { op: node.op.map_operands(|id| ids[id.0 as usize]), name: node.name.clone(), ..*node });
    }
    let stores =
        body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() }).collect();
    Body { nodes, stores, ..body }
}

fn flatten(steps: &[Step], order: &mut Vec<ValueId>) {
    for step in steps {
        match step {
            Step::Value(id) => order.push(*id),
            Step::Loop(turns) => flatten(&turns.body, order),
        }
    }
}

/// The variables of a loop, in the order of its list; `end` is its last [`Op::Advance`].
pub fn variables(nodes: &[Node], end: ValueId) -> Vec<Variable> {
    let (mut variables, mut next) = (Vec::new(), end);
    while let Op::Advance { carried, after, rest } = nodes[next.0 as usize].op {
        if let Op::Carried { before, .. } = nodes[carried.0 as usize].op {
            variables.push(Variable { carried, before, after });
        }
        next = rest;
    }
    variables.reverse();
    variables
}

/// The loop of an [`Op::Advance`]: its [`Op::Turn`].
pub fn turn_of(nodes: &[Node], end: ValueId) -> ValueId {
    let mut next = end;
    while let Op::Advance { rest, .. } = nodes[next.0 as usize].op {
        next = rest;
    }
    next
}

/// The loops around one: those along which what is behind it varies.
fn around(nodes: &[Node], along: &[Axes], axis: AxisId) -> Axes {
    let outcomes = nodes.iter().zip(along).filter(|(node, _)| match node.op {
        Op::Outcome { end, .. } => {
            matches!(nodes[turn_of(nodes, end).0 as usize].op, Op::Turn { axis: own, .. } if own == axis)
        }
        _ => false,
    });
    outcomes.map(|(_, axes)| axes.of_loops()).collect()
}

struct Levels<'a> {
    nodes: &'a [Node],
    along: &'a [Axes],
    /// Of each loop, those around it.
    around: Vec<Axes>,
}

impl Levels<'_> {
    /// The innermost loop in which a value is computed.
    fn level(&self, id: ValueId) -> Option<AxisId> {
        let axes = self.along[id.0 as usize].of_loops();
        let own = (AxisId::COUNT..AxisId::COUNT + AxisId::LOOPS).map(AxisId).filter(|axis| axes.has(*axis));
        own.max_by_key(|axis| self.around[(axis.0 - AxisId::COUNT) as usize].count())
    }

    fn steps(&self, level: Option<AxisId>) -> Vec<Step> {
        let (mut steps, mut entered) = (Vec::new(), Axes::NONE);
        let here = (0..self.nodes.len() as u32).map(ValueId).filter(|&id| self.level(id) == level);
        for id in here {
            if let Op::Outcome { end, .. } = self.nodes[id.0 as usize].op {
                let turn = turn_of(self.nodes, end);
                if let Op::Turn { axis, .. } = self.nodes[turn.0 as usize].op
                    && !entered.has(axis)
                {
                    entered = entered | Axes::of(axis);
                    let variables = variables(self.nodes, end);
                    steps.push(Step::Loop(Loop { turn, variables, body: self.steps(Some(axis)) }));
                }
            }
            steps.push(Step::Value(id));
        }
        steps
    }
}
