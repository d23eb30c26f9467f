//! Algebra that holds for every operand: neutral and absorbing elements, repeated operands, conversions that cancel.
//!
//! Exact for floats too: `x * 1.0`, `x - 0.0`, `x + -0.0`, and a division by a power of two, which is the product with
//! its reciprocal. Nothing is reassociated.

use crate::arithmetic;
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::{BinaryOp, CastMode, Constant, Node, Op, Type, UnaryOp, ValueId};
use crate::optimise::Builder;

#[cfg(test)]
mod exhaustive;

/// What became of a node.
pub enum Simplified {
    /// It is a value that exists.
    Value(ValueId),
    /// It is computed otherwise.
    Op(Op),
    /// It stays.
    Kept,
}

use Simplified::{Kept, Value};

/// The simpler form of a node whose operands are values of `builder`.
pub fn simplify(builder: &mut Builder, node: &Node) -> Simplified {
    if let Some(op) = of_choice(builder, node) {
        return Simplified::Op(op);
    }
    match node.op {
        Op::Unary(op, a) => unary(builder, node, op, a),
        Op::Binary(op, a, b) if builder.node(a).ty.is_float() => float(builder, op, a, b),
        Op::Binary(op, a, b) if a.0 == b.0 => repeated(builder.node(a).ty, op, a),
        Op::Binary(op, a, b) => match builder.constant(b) {
            Some(Constant::Int(b)) => with_integer(builder, node.ty, op, a, b),
            Some(Constant::Bool(b)) => with_truth(op, a, b),
            Some(Constant::Float(_) | Constant::Double(_)) | None => absorbed(builder, op, a, b),
        },
        Op::Select { condition, then, otherwise } => select(builder, node, condition, then, otherwise),
        Op::Cast(mode, a) => cast(builder, node, mode, a),
        Op::Constant(_)
        | Op::Load(_)
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Lookup { .. }
        | Op::Extent { .. }
        | Op::Stride { .. }
        | Op::Plane { .. }
        | Op::Gather { .. }
        | Op::Fetch { .. }
        | Op::Contiguous { .. }
        | Op::Across { .. }
        | Op::Local { .. }
        | Op::Derived { .. }
        | Op::Turn { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. }
        | Op::MulAdd(..) => Kept,
    }
}

/// An operation on a choice between two constant integers: a choice between its results.
fn of_choice(builder: &mut Builder, node: &Node) -> Option<Op> {
    let choice = match node.op {
        Op::Unary(_, x) => x,
        Op::Cast(_, x) if node.ty.is_integer() => x,
        Op::Binary(_, x, c) if builder.is_constant(c) => x,
        _ => return None,
    };
    let (condition, arms) = choice_of_integers(builder, choice)?;
    let ty = builder.node(choice).ty;
    // Bits that are put beside those of a choice stay apart: one that is put in where a condition holds is found so.
    let keeps_zero = |results: [Constant; 2]| arms[1] == 0 && results[1] == Constant::Int(0);
    let is_better = |results| match node.op {
        Op::Binary(op, ..) => op.comparison().is_some() || keeps_zero(results),
        _ => true,
    };
    let of = |arm: i128| {
        let arm = Constant::Int(arm);
        match node.op {
            Op::Unary(op, _) => arithmetic::unary(op, ty, arm),
            Op::Cast(mode, _) => arithmetic::cast(mode, node.ty, arm),
            Op::Binary(op, _, c) => arithmetic::binary(op, ty, arm, builder.constant(c)?),
            _ => None,
        }
    };
    let results = [of(arms[0])?, of(arms[1])?];
    match results {
        _ if !is_better(results) => None,
        [Constant::Int(1), Constant::Int(0)] => Some(Op::Cast(CastMode::Value, condition)),
        _ if results.into_iter().all(|result| result.is_of(node.ty)) => {
            let [then, otherwise] = results.map(|result| builder.op(Op::Constant(result), node.ty, node));
            Some(Op::Select { condition, then, otherwise })
        }
        _ => None,
    }
}

/// The condition of a choice between two constant integers, and both; a truth value as an integer is one.
fn choice_of_integers(builder: &Builder, id: ValueId) -> Option<(ValueId, [i128; 2])> {
    let node = builder.node(id);
    let integer = |id: ValueId| match builder.constant(id) {
        Some(Constant::Int(value)) => Some(value),
        _ => None,
    };
    match node.op {
        Op::Select { condition, then, otherwise } => Some((condition, [integer(then)?, integer(otherwise)?])),
        Op::Cast(_, condition) if node.ty.is_integer() && builder.node(condition).ty == Type::BOOL => {
            Some((condition, [1, 0]))
        }
        _ => None,
    }
}

/// `min(min(x, y), y)` is `min(x, y)`, and the same of `max`, of integers.
fn absorbed(builder: &Builder, op: BinaryOp, a: ValueId, b: ValueId) -> Simplified {
    let holds = |whole: ValueId, part: ValueId| match builder.node(whole).op {
        Op::Binary(own, x, y) => own == op && (x == part || y == part),
        _ => false,
    };
    match op {
        BinaryOp::Min | BinaryOp::Max if holds(a, b) => Value(a),
        BinaryOp::Min | BinaryOp::Max if holds(b, a) => Value(b),
        _ => Kept,
    }
}

fn constant(value: i128) -> Simplified {
    Simplified::Op(Op::Constant(Constant::Int(value)))
}

fn truth(value: bool) -> Simplified {
    Simplified::Op(Op::Constant(Constant::Bool(value)))
}

fn unary(builder: &Builder, node: &Node, op: UnaryOp, a: ValueId) -> Simplified {
    let operand = builder.node(a);
    match (op, &operand.op) {
        (UnaryOp::Not, &Op::Unary(UnaryOp::Not, inner)) => Value(inner),
        (UnaryOp::Neg(Never | Wrap), &Op::Unary(UnaryOp::Neg(Never | Wrap), inner)) => Value(inner),
        (UnaryOp::FromBits, &Op::Unary(UnaryOp::ToBits, inner)) => Value(inner),
        (UnaryOp::ToBits, &Op::Unary(UnaryOp::FromBits, inner)) => Value(inner),
        (UnaryOp::Not, &Op::Binary(compare, x, y)) if node.ty == Type::BOOL => {
            match compare.inverse(builder.node(x).ty) {
                Some(inverse) => Simplified::Op(Op::Binary(inverse, x, y)),
                None => Kept,
            }
        }
        _ => Kept,
    }
}

/// `x op x`, not on floats.
fn repeated(ty: Type, op: BinaryOp, x: ValueId) -> Simplified {
    use BinaryOp::*;
    let zero = if ty == Type::BOOL { truth(false) } else { constant(0) };
    match op {
        Min | Max | And | Or | HalvingAdd | RoundingHalvingAdd => Value(x),
        Sub(_) | AbsDiff | Xor => zero,
        Eq | Le | Ge => truth(true),
        Ne | Lt | Gt => truth(false),
        Add(_) | Mul(_) | Div | Rem | Shl(_) | Shr | MulHigh | RoundingShr => Kept,
    }
}

/// `x op c` for a constant integer.
fn with_integer(builder: &mut Builder, ty: Type, op: BinaryOp, x: ValueId, c: i128) -> Simplified {
    use BinaryOp::*;
    let operand_type = builder.node(x).ty;
    let (lo, hi) = operand_type.limits();
    let ones = if operand_type.is_signed() { -1 } else { hi };
    match (op, c) {
        (Add(_) | Sub(_) | Or | Xor, 0) => Value(x),
        (Shl(_) | Shr | RoundingShr, 0) => Value(x),
        (Mul(_) | Div, 1) => Value(x),
        (Mul(_) | And, 0) => constant(0),
        (MulHigh, 0) | (Rem, 1) => constant(0),
        (And, c) if c == ones => Value(x),
        (Or, c) if c == ones => constant(ones),
        (Xor, c) if c == ones => Simplified::Op(Op::Unary(UnaryOp::Not, x)),
        (Min, c) if c == hi => Value(x),
        (Min, c) if c == lo => constant(lo),
        (Max, c) if c == lo => Value(x),
        (Max, c) if c == hi => constant(hi),
        (AbsDiff, 0) if !operand_type.is_signed() => Value(x),
        (Lt, c) if c == lo => truth(false),
        (Ge, c) if c == lo => truth(true),
        (Gt, c) if c == hi => truth(false),
        (Le, c) if c == hi => truth(true),
        (Div, c) if is_unsigned_power(ty, c) => shift_right(builder, x, c),
        (Rem, c) if is_unsigned_power(ty, c) => {
            let mask = builder.int(c - 1, ty);
            Simplified::Op(Op::Binary(And, x, mask))
        }
        _ => Kept,
    }
}

fn is_unsigned_power(ty: Type, c: i128) -> bool {
    !ty.is_signed() && c > 0 && c & (c - 1) == 0
}

fn shift_right(builder: &mut Builder, x: ValueId, power: i128) -> Simplified {
    let amount = builder.int(power.trailing_zeros() as i128, Type::U32);
    Simplified::Op(Op::Binary(BinaryOp::Shr, x, amount))
}

/// `x op c` for a constant truth value.
fn with_truth(op: BinaryOp, x: ValueId, c: bool) -> Simplified {
    match (op, c) {
        (BinaryOp::And | BinaryOp::Eq, true) | (BinaryOp::Or | BinaryOp::Xor | BinaryOp::Ne, false) => Value(x),
        (BinaryOp::And, false) => truth(false),
        (BinaryOp::Or, true) => truth(true),
        (BinaryOp::Xor | BinaryOp::Ne, true) | (BinaryOp::Eq, false) => Simplified::Op(Op::Unary(UnaryOp::Not, x)),
        _ => Kept,
    }
}

/// Operations on floats.
fn float(builder: &mut Builder, op: BinaryOp, a: ValueId, b: ValueId) -> Simplified {
    if a == b && matches!(op, BinaryOp::Min | BinaryOp::Max) {
        return Value(a);
    }
    let Some(c) = builder.constant(b).and_then(Constant::as_float) else { return Kept };
    let ty = builder.node(a).ty;
    match op {
        BinaryOp::Mul(Never) | BinaryOp::Div if c == 1.0 => Value(a),
        BinaryOp::Sub(Never) if c == 0.0 && c.is_sign_positive() => Value(a),
        BinaryOp::Add(Never) if c == 0.0 && c.is_sign_negative() => Value(a),
        BinaryOp::Div if is_power_of_two(c, ty) => {
            let like = builder.node(a).clone();
            let reciprocal = builder.op(Op::Constant(Constant::of_float(1.0 / c, ty)), ty, &like);
            Simplified::Op(Op::Binary(BinaryOp::Mul(Never), a, reciprocal))
        }
        _ => Kept,
    }
}

/// Whether both `c` and its reciprocal are normal powers of two, as floats of a type.
fn is_power_of_two(c: f64, ty: Type) -> bool {
    let exponent = (c.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let greatest = if ty == Type::F64 { 1021 } else { 125 };
    c.to_bits() << 12 == 0 && exponent.abs() <= greatest
}

fn select(builder: &Builder, node: &Node, condition: ValueId, then: ValueId, otherwise: ValueId) -> Simplified {
    if then == otherwise {
        return Value(then);
    }
    if let Some(Constant::Bool(taken)) = builder.constant(condition) {
        return Value(if taken { then } else { otherwise });
    }
    if let Op::Unary(UnaryOp::Not, inner) = builder.node(condition).op {
        return Simplified::Op(Op::Select { condition: inner, then: otherwise, otherwise: then });
    }
    if node.ty == Type::BOOL {
        let pair = (builder.constant(then), builder.constant(otherwise));
        return match pair {
            (Some(Constant::Bool(true)), Some(Constant::Bool(false))) => Value(condition),
            (Some(Constant::Bool(false)), Some(Constant::Bool(true))) => {
                Simplified::Op(Op::Unary(UnaryOp::Not, condition))
            }
            (Some(Constant::Bool(true)), _) => Simplified::Op(Op::Binary(BinaryOp::Or, condition, otherwise)),
            (_, Some(Constant::Bool(false))) => Simplified::Op(Op::Binary(BinaryOp::And, condition, then)),
            _ => Kept,
        };
    }
    Kept
}

fn cast(builder: &Builder, node: &Node, mode: CastMode, a: ValueId) -> Simplified {
    let operand = builder.node(a);
    if operand.ty == node.ty {
        return Value(a);
    }
    if let Op::Cast(_, inner) = operand.op {
        // The inner conversion kept the value, so the outer one may start from its operand.
        let from = builder.node(inner).ty;
        if from.widens_to(operand.ty) && (node.ty != Type::F32 || from.bits() < 32) {
            return Simplified::Op(Op::Cast(mode, inner));
        }
    }
    let keeps_value = operand.ty.widens_to(node.ty);
    if keeps_value && mode != CastMode::Value { Simplified::Op(Op::Cast(CastMode::Value, a)) } else { Kept }
}

#[cfg(test)]
mod tests {
    use crate::ir::Overflow::Never;
    use crate::ir::{BinaryOp, CastMode, Constant, Op, Type};
    use crate::optimise::number;
    use crate::optimise::testing::{lines, u8_body};

    fn last(body: crate::ir::Body) -> String {
        let numbered = number(&body);
        lines(&numbered)[numbered.stores[0].value.0 as usize].clone()
    }

    #[test]
    fn neutral_elements_vanish() {
        for (op, neutral) in [
            (BinaryOp::Add(Never), 0),
            (BinaryOp::Mul(Never), 1),
            (BinaryOp::Div, 1),
            (BinaryOp::And, 255),
            (BinaryOp::Min, 255),
            (BinaryOp::Max, 0),
        ] {
            let body = u8_body(|b, x, _| {
                let c = b.int(neutral, Type::U8);
                b.raw(Op::Binary(op, x, c), Type::U8)
            });
            assert_eq!(last(body), "a.0[0, 0]", "{op:?}");
        }
    }

    #[test]
    fn a_widened_value_narrows_to_itself() {
        let body = u8_body(|b, x, _| {
            let wide = b.raw(Op::Cast(CastMode::Value, x), Type::I32);
            b.raw(Op::Cast(CastMode::Saturating, wide), Type::U8)
        });
        assert_eq!(last(body), "a.0[0, 0]");
    }

    #[test]
    fn an_operation_on_a_choice_of_constants_is_one() {
        let body = u8_body(|b, x, y| {
            let holds = b.raw(Op::Binary(BinaryOp::Lt, x, y), Type::BOOL);
            let (bit, three) = (b.raw(Op::Cast(CastMode::Value, holds), Type::U8), b.int(3, Type::U32));
            b.raw(Op::Binary(BinaryOp::Shl(Never), bit, three), Type::U8)
        });
        assert!(last(body).starts_with("Select v2 "));
        // Asked whether it is set, the bit is the condition.
        let body = u8_body(|b, x, y| {
            let holds = b.raw(Op::Binary(BinaryOp::Lt, x, y), Type::BOOL);
            let (bit, one) = (b.raw(Op::Cast(CastMode::Value, holds), Type::U8), b.int(1, Type::U8));
            let is_set = b.raw(Op::Binary(BinaryOp::Eq, bit, one), Type::BOOL);
            b.raw(Op::Select { condition: is_set, then: x, otherwise: y }, Type::U8)
        });
        assert_eq!(last(body), "Select v2 v0 v1");
    }

    #[test]
    fn bits_beside_a_choice_stay_apart() {
        let body = u8_body(|b, x, y| {
            let holds = b.raw(Op::Binary(BinaryOp::Lt, x, y), Type::BOOL);
            let (bit, four) = (b.raw(Op::Cast(CastMode::Value, holds), Type::U8), b.int(4, Type::U8));
            b.raw(Op::Binary(BinaryOp::Or, bit, four), Type::U8)
        });
        assert!(last(body).starts_with("Or "));
    }

    #[test]
    fn division_by_a_power_of_two_is_a_shift() {
        let body = u8_body(|b, x, _| {
            let c = b.int(8, Type::U8);
            b.raw(Op::Binary(BinaryOp::Div, x, c), Type::U8)
        });
        assert!(last(body).starts_with("Shr v0"));
    }

    #[test]
    fn adding_positive_zero_to_a_float_stays() {
        let body = u8_body(|b, x, _| {
            let f = b.raw(Op::Cast(CastMode::Value, x), Type::F32);
            let zero = b.raw(Op::Constant(Constant::Float(0)), Type::F32);
            let sum = b.raw(Op::Binary(BinaryOp::Add(Never), f, zero), Type::F32);
            b.raw(Op::Cast(CastMode::Value, sum), Type::U8)
        });
        assert!(lines(&number(&body)).iter().any(|line| line.starts_with("Add")));
    }
}
