//! Loops that reduce: their variables are combined with a term in each turn, in an order that does not matter or is that of lanes.

use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::Variable;
use windrow_dsl::ir::{BinaryOp, Body, Op, Order, Type, ValueId};

/// A variable of a loop that is combined with a term in each turn.
#[derive(Clone, Copy, Debug)]
pub struct Combined {
    /// What it holds when a turn begins, an [`Op::Carried`].
    pub carried: ValueId,
    /// What it holds before the first.
    pub before: ValueId,
    /// The variable and the term, combined.
    pub combined: ValueId,
    /// How it is combined.
    pub op: BinaryOp,
    /// With what.
    pub term: ValueId,
    /// Where it is: everywhere, if there is none.
    pub condition: Option<ValueId>,
}

/// How the turns of a loop of this order combine a variable, where nothing else reads it.
pub fn combined(body: &Body, users: &[Vec<ValueId>], order: Order, variable: Variable) -> Option<Combined> {
    let Variable { carried, before, after } = variable;
    let is_read_by = |id: ValueId, all: &[ValueId]| {
        let is_own = |user: &ValueId| all.contains(user) || matches!(body.node(*user).op, Op::Advance { .. });
        users[id.0 as usize].iter().all(|user| is_own(user) || matches!(body.node(*user).op, Op::Outcome { .. }))
    };
    let (sum, condition) = match body.node(after).op {
        Op::Select { condition, then, otherwise } if otherwise == carried => (then, Some(condition)),
        _ => (after, None),
    };
    let Op::Binary(op, a, b) = body.node(sum).op else { return None };
    let term = if a == carried { b } else { a };
    let is_alone = is_read_by(carried, &[sum, after]) && is_read_by(sum, &[after]) && is_read_by(after, &[]);
    let is_own = [a, b].contains(&carried) && term != carried && condition != Some(carried);
    let takes_order = match order {
        Order::Written => takes_any_order(op, body.node(sum).ty),
        Order::Lanes => matches!(op, BinaryOp::Add(_)),
    };
    (is_alone && is_own && takes_order).then_some(Combined {
        carried,
        before,
        combined: sum,
        op: if body.node(sum).ty.is_float() { op } else { op.wrapping() },
        term,
        condition,
    })
}

/// Whether operands of a type may be combined in any order: all NaNs are equal.
fn takes_any_order(op: BinaryOp, ty: Type) -> bool {
    match op {
        BinaryOp::Min | BinaryOp::Max => true,
        BinaryOp::Add(Never | Wrap) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ty.is_integer(),
        _ => false,
    }
}

/// Whether a value combined with itself is that value.
pub fn keeps_equals(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::And | BinaryOp::Or)
}

/// What reads each value.
pub fn users(body: &Body) -> Vec<Vec<ValueId>> {
    let mut users = vec![Vec::new(); body.nodes.len()];
    for (index, node) in body.nodes.iter().enumerate() {
        node.op.for_operands(|id| users[id.0 as usize].push(ValueId(index as u32)));
    }
    users
}
