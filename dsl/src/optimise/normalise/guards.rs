//! Makes every value computable: emitted code computes both sides of a branch, also the one that is not taken.
//!
//! A guarded operation becomes its wrapping form; its divisor is 1 where the guard is false (which also ends
//! `MIN / -1`), and its shift amount is taken modulo the width. [`clamp_indices`] bounds each table index by its type
//! or by the table's length, and each place in a whole input by its extents. After these passes no node has a guard, and
//! a checked operation is one that was proved on every path.

use crate::ir::Overflow::Never;
use crate::ir::{
    Axes, BinaryOp, Body, CastMode, Constant, Guard, GuardId, Kernel, Node, Op, Rewriting, Type, UnaryOp, ValueId,
    along,
};
use crate::ir::{Facts, Range};
use crate::optimise::Builder;
use crate::optimise::build::bounds::bounds;
use crate::optimise::build::builder::carried;

/// A body whose operations are harmless.
pub struct Harmless {
    /// The body.
    pub body: Body,
    /// Whether all values were kept as they were asked for: numbering them once more would change nothing.
    pub is_stable: bool,
    /// Where each value went.
    ids: Vec<ValueId>,
}

impl Harmless {
    /// What was proved about the values of `body`, which these were, for the same values here. Where it rests on path conditions
    /// that is about variables of loops alone, of which it is tried whether it holds without them.
    pub fn carried(&self, body: &Body, facts: &Facts) -> Vec<Option<Range>> {
        if facts.ranges.len() != self.ids.len() {
            return Vec::new();
        }
        let is_carried = |node: &Node| body.guards.is_empty() || matches!(node.op, Op::Carried { .. });
        let known = facts.ranges.iter().zip(&body.nodes);
        let known: Vec<Option<Range>> =
            known.map(|(range, node)| if is_carried(node) { Some(*range) } else { None }).collect();
        carried(&known, &self.ids, self.body.nodes.len())
    }
}

/// The body with each guarded operation made harmless.
pub fn make_harmless(body: &Body) -> Harmless {
    let mut builder = Builder::with_capacity(body.nodes.len());
    let along = along(&body.nodes);
    let uniform: Vec<bool> = along.iter().map(|axes| axes.is_empty()).collect();
    let ids = body.rewrite(|value, op| {
        let guard = value.node.guard.filter(|guard| !only_turns(body, *guard, along[value.id.0 as usize]));
        let op = match guard {
            _ if is_of_every_turn(body, value) => Op::Constant(Constant::Bool(true)),
            Some(guard) if !divides_by_word(body, value.node, &uniform) => {
                harmless(&mut builder, body, value, (guard, along[value.id.0 as usize]), op)
            }
            _ => op,
        };
        builder.push(value.with(op))
    });
    let is_stable = builder.changes() == 0;
    Harmless { body: builder.finish(body, &ids), is_stable, ids }
}

/// What a path condition says of a value that varies along some axes.
enum Says {
    /// Nothing: the value is computed in turns alone, and this says that there is one.
    Turn,
    /// That a loop has turns: the value is computed before it.
    Turns { start: ValueId, end: ValueId },
    /// What it says of all values.
    Condition,
}

fn says(body: &Body, guard: Guard, axes: Axes) -> Says {
    let (&Op::Binary(op, turn, limit), true) = (&body.node(guard.condition).op, guard.polarity) else {
        return Says::Condition;
    };
    match (op, &body.node(turn).op) {
        (BinaryOp::Ge, &Op::Turn { start, .. }) if start == limit => Says::Turn,
        (BinaryOp::Lt, &Op::Turn { axis, start, end, .. }) if end == limit => match axes.has(axis) {
            true => Says::Turn,
            false => Says::Turns { start, end },
        },
        _ => Says::Condition,
    }
}

/// Whether a value says that a turn of a loop lies between the loop's ends: only turns compute it.
fn is_of_every_turn(body: &Body, value: Rewriting<'_>) -> bool {
    let Op::Binary(op, turn, limit) = value.node.op else { return false };
    match (op, &body.node(turn).op) {
        (BinaryOp::Ge, Op::Turn { start, .. }) => value.at(*start) == value.at(limit),
        (BinaryOp::Lt, Op::Turn { end, .. }) => value.at(*end) == value.at(limit),
        _ => false,
    }
}

/// Whether a path condition says no more than that there is a turn of each loop along which a value varies: only such turns
/// compute it.
fn only_turns(body: &Body, guard: GuardId, axes: Axes) -> bool {
    let mut next = Some(guard);
    while let Some(guard) = next.map(|id| body.guards[id.0 as usize]) {
        if !matches!(says(body, guard, axes), Says::Turn) {
            return false;
        }
        next = guard.parent;
    }
    true
}

/// Whether a node divides by what will be a derived word: multiplying by the parts of any [`magic`](crate::optimise::magic)
/// is harmless.
fn divides_by_word(body: &Body, node: &Node, uniform: &[bool]) -> bool {
    match node.op {
        Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) if !node.ty.is_float() => {
            uniform[divisor.0 as usize] && !matches!(body.node(divisor).op, Op::Constant(_))
        }
        _ => false,
    }
}

fn harmless(builder: &mut Builder, body: &Body, value: Rewriting<'_>, guard: (GuardId, Axes), op: Op) -> Op {
    let node = value.node;
    match op {
        Op::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) if !node.ty.is_float() => {
            Op::Binary(op, a, divisor(builder, body, value, guard, b))
        }
        Op::Binary(op @ (BinaryOp::Shr | BinaryOp::RoundingShr), a, amount) if builder.constant(amount).is_none() => {
            let mask = builder.int(i128::from(node.ty.bits()) - 1, Type::U32);
            Op::Binary(op, a, builder.binary(BinaryOp::And, amount, mask))
        }
        Op::Binary(op, a, b) if !node.ty.is_float() => Op::Binary(op.wrapping(), a, b),
        Op::Unary(op, a) if !node.ty.is_float() => Op::Unary(op.wrapping(), a),
        Op::Cast(CastMode::Value, a) if node.ty.is_integer() && builder.node(a).ty.is_integer() => {
            Op::Cast(CastMode::Wrapping, a)
        }
        _ => op,
    }
}

/// The divisor where the guard holds, 1 elsewhere; a constant that is neither 0 nor −1 needs no guard.
fn divisor(
    builder: &mut Builder,
    body: &Body,
    value: Rewriting<'_>,
    guard: (GuardId, Axes),
    divisor: ValueId,
) -> ValueId {
    if let Some(Constant::Int(value)) = builder.constant(divisor)
        && value != 0
        && value != -1
    {
        return divisor;
    }
    let like = builder.node(divisor).clone();
    let Some(condition) = holds(builder, body, value, guard) else { return divisor };
    let one = builder.int(1, like.ty);
    builder.op(Op::Select { condition, then: divisor, otherwise: one }, like.ty, &like)
}

/// The value of a path condition for a value that varies along some axes: all its conditions have their polarities. None where
/// they always do.
fn holds(builder: &mut Builder, body: &Body, value: Rewriting<'_>, (guard, axes): (GuardId, Axes)) -> Option<ValueId> {
    let guard = body.guards[guard.0 as usize];
    let like = builder.node(value.at(guard.condition)).clone();
    let own = match says(body, guard, axes) {
        Says::Turn => None,
        Says::Turns { start, end } => {
            Some(builder.op(Op::Binary(BinaryOp::Lt, value.at(start), value.at(end)), Type::BOOL, &like))
        }
        Says::Condition if guard.polarity => Some(value.at(guard.condition)),
        Says::Condition => Some(builder.op(Op::Unary(UnaryOp::Not, value.at(guard.condition)), Type::BOOL, &like)),
    };
    let around = guard.parent.and_then(|parent| holds(builder, body, value, (parent, axes)));
    match (around, own) {
        (Some(around), Some(own)) => Some(builder.op(Op::Binary(BinaryOp::And, around, own), Type::BOOL, &like)),
        (around, own) => around.or(own),
    }
}

/// The body with each index in range: memory safety never rests on a proof.
pub fn clamp_indices(kernel: &Kernel, body: Body) -> Body {
    if !body.nodes.iter().any(|node| matches!(node.op, Op::Lookup { .. } | Op::Plane { .. } | Op::Gather { .. })) {
        return body;
    }
    let mut builder = Builder::with_capacity(body.nodes.len());
    let ids = body.rewrite(|value, op| {
        let op = match op {
            Op::Lookup { table, index } => {
                let length = i128::from(kernel.tables[table.0 as usize].length);
                Op::Lookup { table, index: clamped(&mut builder, index, length) }
            }
            Op::Plane { input, dimension, outside, index } => {
                let index = inside(&mut builder, index, Op::Extent { input, dimension });
                Op::Plane { input, dimension, outside, index }
            }
            Op::Gather { input, channel, plane, at: [row, column] } => {
                let last = kernel.inputs[input.0 as usize].dimensions() - 1;
                // A tensor of one dimension has one row.
                let row = match last.checked_sub(1) {
                    Some(dimension) => inside(&mut builder, row, Op::Extent { input, dimension }),
                    None => row,
                };
                let column = inside(&mut builder, column, Op::Extent { input, dimension: last });
                Op::Gather { input, channel, plane, at: [row, column] }
            }
            op => op,
        };
        builder.push(value.with(op))
    });
    builder.finish(&body, &ids)
}

/// An index between 0 and the last one.
fn inside(builder: &mut Builder, index: ValueId, extent: Op) -> ValueId {
    let like = builder.node(index).clone();
    let extent = builder.op(extent, Type::I32, &like);
    let last = one_less(builder, extent);
    if is_inside(builder, index, last) {
        return index;
    }
    let zero = builder.int(0, Type::I32);
    let from_zero = if bounds(builder, index).0 >= 0 { index } else { builder.binary(BinaryOp::Max, index, zero) };
    builder.binary(BinaryOp::Min, from_zero, last)
}

/// Whether an index is the lesser of the last one and of what is not negative, as an author writes `clamp(0, last)`.
fn is_inside(builder: &Builder, index: ValueId, last: ValueId) -> bool {
    match builder.node(index).op {
        Op::Binary(BinaryOp::Min, a, b) if b == last => bounds(builder, a).0 >= 0,
        Op::Binary(BinaryOp::Min, a, b) if a == last => bounds(builder, b).0 >= 0,
        _ => false,
    }
}

fn one_less(builder: &mut Builder, extent: ValueId) -> ValueId {
    let one = builder.int(1, Type::I32);
    builder.binary(BinaryOp::Sub(Never), extent, one)
}

fn clamped(builder: &mut Builder, index: ValueId, length: i128) -> ValueId {
    let ty = builder.node(index).ty.unsigned();
    let index = if ty == builder.node(index).ty { index } else { builder.cast(CastMode::Wrapping, ty, index) };
    let (least, most) = bounds(builder, index);
    if least >= 0 && most < length {
        return index;
    }
    let last = builder.int((length - 1).max(0), ty);
    builder.binary(BinaryOp::Min, index, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::TableId;
    use crate::optimise::testing::{Raw, kernel, lines};

    /// `if a > b { a op b } else { a }`
    fn guarded(op: BinaryOp) -> Body {
        let mut raw = Raw::default();
        let (a, b) = (raw.input(0, Type::U8), raw.input(1, Type::U8));
        let condition = raw.raw(Op::Binary(BinaryOp::Gt, a, b), Type::BOOL);
        raw.guards.push(Guard { parent: None, condition, polarity: true });
        let then = raw.guarded(Op::Binary(op, a, b), Type::U8, Some(GuardId(0)));
        let value = raw.raw(Op::Select { condition, then, otherwise: a }, Type::U8);
        raw.store(value)
    }

    #[test]
    fn a_divisor_off_the_path_is_one() {
        let body = make_harmless(&guarded(BinaryOp::Div)).body;
        assert_eq!(lines(&body)[3..6], ["1", "Select v2 v1 v3", "Div v0 v4"]);
    }

    #[test]
    fn a_difference_off_the_path_wraps() {
        let body = make_harmless(&guarded(BinaryOp::Sub(Never))).body;
        assert_eq!(lines(&body)[3], "WrappingSub v0 v1");
        assert!(body.nodes.iter().all(|node| node.guard.is_none()));
    }

    #[test]
    fn an_index_is_bounded_by_its_type_or_by_the_length() {
        let mut raw = Raw::default();
        let a = raw.input(0, Type::U8);
        let entry = raw.raw(Op::Lookup { table: TableId(0), index: a }, Type::U8);
        let body = raw.store(entry);
        let mut kernel = kernel(Type::U8, body.clone());
        assert_eq!(lines(&clamp_indices(&kernel, body.clone())), ["a.0[0, 0]", "99", "Min v0 v1", "t[v2]"]);
        kernel.tables[0].length = 256;
        assert_eq!(lines(&clamp_indices(&kernel, body)), ["a.0[0, 0]", "t[v0]"]);
    }
}
