//! Which loops add products of 16-bit values, and of what.

use crate::vector::machine::Machine;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::loops::{Variable, turn_of, variables};
use windrow_dsl::ir::{Axes, AxisId, BinaryOp, Body, CastMode, Op, Order, Type, ValueId, along};

/// A loop whose variable is a sum of products.
#[derive(Debug)]
pub struct Products {
    pub turn: ValueId,
    pub axis: AxisId,
    /// The sum: what it is before the loop, and what a turn finds in it and leaves there.
    pub sum: Variable,
    /// The factors of what a turn adds: one that is the same for all lanes, and one of each lane.
    pub factors: [ValueId; 2],
    /// What they are, where the machine multiplies bytes.
    pub bytes: Option<Bytes>,
}

/// An element minus a number, times a weight.
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// A byte that is the same for all lanes.
    pub element: ValueId,
    /// What is subtracted, the same in all turns.
    pub zero: Option<ValueId>,
    /// A signed byte.
    pub weight: ValueId,
}

/// The innermost loops with one variable, a sum of 32 bits that differs from lane to lane and takes such products.
pub fn find(machine: &Machine, body: &Body) -> Vec<Products> {
    let (along, readers) = (along(&body.nodes), readers(body));
    let mut found: Vec<Products> = Vec::new();
    for node in &body.nodes {
        let Op::Outcome { end, .. } = node.op else { continue };
        let turn = turn_of(&body.nodes, end);
        let Op::Turn { axis, order: Order::Written, .. } = body.node(turn).op else { continue };
        if found.iter().any(|known| known.turn == turn) || !is_innermost(body, &along, turn, axis) {
            continue;
        }
        let [sum] = *variables(&body.nodes, end).as_slice() else { continue };
        let is_alone = readers[sum.carried.0 as usize] == 1 && readers[sum.after.0 as usize] == 0;
        let is_vector = along[sum.carried.0 as usize].has(AxisId::X);
        let term = added(body, sum.after, sum.carried).filter(|_| is_alone && is_vector);
        // Two factors that differ from lane to lane would both have to be brought beside those of the next turn.
        let factors = match term.and_then(|term| factors(body, term)) {
            Some(factors) => match factors.map(|factor| along[factor.0 as usize].has(AxisId::X)) {
                [true, true] => continue,
                [true, false] => [factors[1], factors[0]],
                [false, _] => factors,
            },
            None => continue,
        };
        let bytes = if machine.byte_factor.is_some() { bytes(body, &along, axis, factors) } else { None };
        if machine.multiplies_pairs || bytes.is_some() {
            found.push(Products { turn, axis, sum, factors, bytes });
        }
    }
    found
}

/// Whether no loop is nested in another one's turns.
fn is_innermost(body: &Body, along: &[Axes], turn: ValueId, axis: AxisId) -> bool {
    let mut inside = (0..body.nodes.len() as u32).map(ValueId).filter(|id| along[id.0 as usize].has(axis));
    inside.all(|id| id == turn || !matches!(body.node(id).op, Op::Turn { .. } | Op::Outcome { .. }))
}

/// How many values read each one, but for what says what a loop leaves.
fn readers(body: &Body) -> Vec<u32> {
    let mut readers = vec![0; body.nodes.len()];
    for node in &body.nodes {
        if !matches!(node.op, Op::Advance { .. } | Op::Outcome { .. }) {
            node.op.for_operands(|id| readers[id.0 as usize] += 1);
        }
    }
    body.stores.iter().for_each(|store| readers[store.value.0 as usize] += 1);
    readers
}

/// What is added to a variable of 32 bits.
fn added(body: &Body, sum: ValueId, carried: ValueId) -> Option<ValueId> {
    let node = body.node(sum);
    match node.op {
        Op::Binary(BinaryOp::Add(Never | Wrap), a, b) if matches!(node.ty, Type::I32 | Type::U32) && a != b => {
            [(a, b), (b, a)].into_iter().find(|(own, _)| *own == carried).map(|(_, term)| term)
        }
        _ => None,
    }
}

/// The factors of a product in 32 bits, each a value of 16 signed bits or fewer.
fn factors(body: &Body, term: ValueId) -> Option<[ValueId; 2]> {
    let of_product = |id: ValueId| match body.node(id).op {
        Op::Binary(BinaryOp::Mul(overflow), a, b) => Some((overflow, [a, b])),
        _ => None,
    };
    let widened = |id: ValueId| match body.node(id).op {
        Op::Cast(CastMode::Value, inner) if is_of_16_bits(body.node(inner).ty) => Some(inner),
        _ => None,
    };
    match body.node(term).op {
        // A product that 16 bits hold.
        Op::Cast(CastMode::Value, inner) => match of_product(inner)? {
            (Never, factors) if body.node(inner).ty == Type::I16 => Some(factors),
            (Never, [a, b]) if body.node(inner).ty == Type::U16 => Some([widened(a)?, widened(b)?]),
            _ => None,
        },
        Op::Binary(..) => {
            let (_, [a, b]) = of_product(term).filter(|(overflow, _)| matches!(overflow, Never | Wrap))?;
            Some([widened(a)?, widened(b)?])
        }
        _ => None,
    }
}

/// The factors of a product as bytes: of the one that is the same for all lanes, and of the other.
fn bytes(body: &Body, along: &[Axes], axis: AxisId, [single, lanes]: [ValueId; 2]) -> Option<Bytes> {
    let byte = |id: ValueId, types: &[Type]| {
        let id = match body.node(id).op {
            Op::Cast(CastMode::Value, inner) => inner,
            _ => id,
        };
        types.contains(&body.node(id).ty).then_some(id)
    };
    let weight = byte(lanes, &[Type::I8])?;
    if let Some(element) = byte(single, &[Type::U8, Type::I8]) {
        return Some(Bytes { element, zero: None, weight });
    }
    let Op::Binary(BinaryOp::Sub(_), element, zero) = body.node(single).op else { return None };
    let is_same = !along[zero.0 as usize].has(axis) && body.node(zero).ty == Type::I16;
    let element = byte(element, &[Type::U8, Type::I8]).filter(|_| is_same)?;
    Some(Bytes { element, zero: Some(zero), weight })
}

/// Whether 16 signed bits hold all values of a type.
fn is_of_16_bits(ty: Type) -> bool {
    matches!(ty, Type::I16 | Type::I8 | Type::U8)
}

/// Whether a body multiplies bytes by others of the same lanes: signed ones by those that the machine multiplies them by, or by
/// unsigned ones.
pub fn multiplies_lanes(machine: &Machine, body: &Body) -> bool {
    let other = machine.byte_factor.unwrap_or(Type::U8);
    let along = along(&body.nodes);
    let byte = |mut id: ValueId| {
        while let Op::Cast(CastMode::Value | CastMode::Wrapping, inner) = body.node(id).op
            && body.node(id).ty.bits() > 8
        {
            id = inner;
        }
        along[id.0 as usize].has(AxisId::X).then_some(body.node(id).ty)
    };
    body.nodes.iter().any(|node| match node.op {
        Op::Binary(BinaryOp::Mul(_), a, b) if node.ty.bits() <= 32 => {
            [[a, b], [b, a]].iter().any(|&[a, b]| byte(a) == Some(Type::I8) && byte(b) == Some(other))
        }
        _ => false,
    })
}
