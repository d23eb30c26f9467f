//! What a body computes for one element, by evaluating it node by node: the meaning of the IR, executable.
//!
//! Tests hold every optimisation and every emitter against it. It stops where Rust would panic, under the node's guard:
//! a value whose guard is false is computed as far as it can be and otherwise has no value, as it cannot be observed.

use crate::arithmetic;
use crate::ir::Overflow::Never;
use crate::ir::loops::{LANES, Loop, Step, Variable, steps};
use crate::ir::{
    Access, AxisId, BinaryOp, Body, Constant, Guard, GuardId, InputId, Node, Op, Order, TableId, Type, UniformId,
    ValueId,
};

/// Where a body's arguments come from.
pub trait Arguments {
    /// An element of an input.
    fn element(&self, access: &Access) -> Constant;
    /// A scalar of a uniform.
    fn uniform(&self, uniform: UniformId, index: u32) -> Constant;
    /// A derived word, as the type of the node that reads it.
    fn derived(&self, index: u32) -> Constant;
    /// An entry of a table.
    fn table(&self, table: TableId, index: i128) -> Option<Constant>;
    /// Where the element is along an axis.
    fn coordinate(&self, axis: AxisId) -> i32;
    /// How long a dimension of a whole input is; of one element, where nobody says more.
    fn extent(&self, _input: InputId, _dimension: u32) -> i32 {
        1
    }
    /// An element of a whole input, at a plane, a row and a column; `None` outside, and where there is no such input.
    fn gathered(&self, _input: InputId, _channel: u32, _at: [i128; 3]) -> Option<Constant> {
        None
    }
}

/// Why an evaluation stopped: the node on which Rust would panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panic(pub ValueId);

/// Evaluates every node; a value that cannot be observed, as its guard is false, is `None`.
///
/// # Errors
/// The first node on which Rust would panic.
pub fn values(body: &Body, arguments: &impl Arguments) -> Result<Vec<Option<Constant>>, Panic> {
    let mut values: Vec<Option<Constant>> = vec![None; body.nodes.len()];
    run(body, &steps(&body.nodes), &mut values, arguments)?;
    Ok(values)
}

/// Evaluates values in order, and the turns of loops one after the other.
fn run(body: &Body, steps: &[Step], values: &mut [Option<Constant>], arguments: &impl Arguments) -> Result<(), Panic> {
    for step in steps {
        match step {
            Step::Value(id) => {
                let node = body.node(*id);
                let value = match node.op {
                    // The loop has set them.
                    Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } => continue,
                    Op::Outcome { carried, .. } => values[carried.0 as usize],
                    _ => evaluate(body, node, values, arguments),
                };
                if value.is_none() && holds(body, node.guard, values) {
                    return Err(Panic(*id));
                }
                values[id.0 as usize] = value;
            }
            Step::Loop(turns) => run_loop(body, turns, values, arguments)?,
        }
    }
    Ok(())
}

fn run_loop(
    body: &Body,
    turns: &Loop,
    values: &mut [Option<Constant>],
    arguments: &impl Arguments,
) -> Result<(), Panic> {
    let Op::Turn { start, end, order, .. } = body.node(turns.turn).op else { return Ok(()) };
    for variable in &turns.variables {
        values[variable.carried.0 as usize] = values[variable.before.0 as usize];
    }
    let (Some(Constant::Int(start)), Some(Constant::Int(end))) = (values[start.0 as usize], values[end.0 as usize])
    else {
        // Nobody looks at a loop whose ends have no value.
        turns.variables.iter().for_each(|variable| values[variable.carried.0 as usize] = None);
        return Ok(());
    };
    let all = |values: &[Option<Constant>], id: fn(&Variable) -> ValueId| -> Vec<Option<Constant>> {
        turns.variables.iter().map(|variable| values[id(variable).0 as usize]).collect()
    };
    // What the variables hold, in each lane.
    let count = if order == Order::Lanes { LANES } else { 1 };
    let mut lanes = vec![all(values, |variable| variable.carried); count];
    for (place, turn) in (start..end).enumerate() {
        let lane = &mut lanes[place % count];
        for (variable, now) in turns.variables.iter().zip(lane.iter()) {
            values[variable.carried.0 as usize] = *now;
        }
        values[turns.turn.0 as usize] = Some(Constant::Int(turn));
        run(body, &turns.body, values, arguments)?;
        *lane = all(values, |variable| variable.after);
    }
    while let [_, _, ..] = *lanes {
        let high = lanes.split_off(lanes.len() / 2);
        for (lane, high) in lanes.iter_mut().zip(high) {
            for (own, other) in lane.iter_mut().zip(high) {
                *own = own.zip(other).and_then(|(a, b)| arithmetic::binary(BinaryOp::Add(Never), Type::F32, a, b));
            }
        }
    }
    for (variable, now) in turns.variables.iter().zip(&lanes[0]) {
        values[variable.carried.0 as usize] = *now;
    }
    Ok(())
}

/// Evaluates what the body stores, in the order of its stores.
///
/// # Errors
/// The first node on which Rust would panic.
pub fn stores(body: &Body, arguments: &impl Arguments) -> Result<Vec<Constant>, Panic> {
    let values = values(body, arguments)?;
    body.stores.iter().map(|store| values[store.value.0 as usize].ok_or(Panic(store.value))).collect()
}

/// Whether a path condition holds.
pub fn holds(body: &Body, guard: Option<GuardId>, values: &[Option<Constant>]) -> bool {
    let mut next = guard;
    while let Some(id) = next {
        let Guard { parent, condition, polarity } = body.guards[id.0 as usize];
        if values[condition.0 as usize] != Some(Constant::Bool(polarity)) {
            return false;
        }
        next = parent;
    }
    true
}

/// The value of one node, from those of the nodes before it; `None` where Rust would panic.
pub(crate) fn evaluate(
    body: &Body,
    node: &Node,
    values: &[Option<Constant>],
    arguments: &impl Arguments,
) -> Option<Constant> {
    let at = |id: ValueId| values[id.0 as usize];
    let integer = |id| match at(id)? {
        Constant::Int(value) => Some(value),
        Constant::Bool(_) | Constant::Float(_) | Constant::Double(_) => None,
    };
    match node.op {
        Op::Constant(constant) => Some(constant),
        Op::Load(ref access) => Some(arguments.element(access)),
        Op::Uniform { uniform, index } => Some(arguments.uniform(uniform, index)),
        Op::Derived { index, .. } => Some(arguments.derived(index)),
        Op::Coordinate { axis, offset } => {
            Some(Constant::Int(i128::from(arguments.coordinate(axis)) + i128::from(offset)))
        }
        Op::Lookup { table, index } => match at(index)? {
            Constant::Int(index) => arguments.table(table, index),
            Constant::Bool(_) | Constant::Float(_) | Constant::Double(_) => None,
        },
        Op::Extent { input, dimension } => Some(Constant::Int(arguments.extent(input, dimension).into())),
        Op::Plane { input, dimension, outside, index } => {
            let outside = outside.map_or(Some(0), integer)?;
            let extent = i128::from(arguments.extent(input, dimension));
            Some(Constant::Int(outside * extent + integer(index)?))
        }
        Op::Gather { input, channel, plane, at: [row, column] } => {
            arguments.gathered(input, channel, [plane.map_or(Some(0), integer)?, integer(row)?, integer(column)?])
        }
        // Addresses belong to a target.
        Op::Stride { .. } | Op::Fetch { .. } | Op::Contiguous { .. } | Op::Across { .. } | Op::Local { .. } => None,
        // What a loop says of them, `run_loop` does.
        Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => None,
        // `unsigned_abs` and the like give another type; the operation is the operand's.
        Op::Unary(op, operand) => arithmetic::unary(op, body.node(operand).ty, at(operand)?),
        // `a && b`: where `a` decides, `b` is not read.
        Op::Binary(BinaryOp::And, left, _) if at(left) == Some(Constant::Bool(false)) => at(left),
        Op::Binary(BinaryOp::Or, left, _) if at(left) == Some(Constant::Bool(true)) => at(left),
        Op::Binary(op, left, right) => arithmetic::binary(op, body.node(left).ty, at(left)?, at(right)?),
        Op::MulAdd(a, b, c) => arithmetic::mul_add(at(a)?, at(b)?, at(c)?),
        Op::Select { condition, then, otherwise } => match at(condition)? {
            Constant::Bool(true) => at(then),
            Constant::Bool(false) => at(otherwise),
            Constant::Int(_) | Constant::Float(_) | Constant::Double(_) => None,
        },
        Op::Cast(mode, operand) => arithmetic::cast(mode, node.ty, at(operand)?),
    }
}
