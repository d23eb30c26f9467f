//! One operation of the IR as a Rust expression.

use crate::rows::wide_name;
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Body, CastMode, Node, Op, Type, UnaryOp, ValueId};
use windrow_dsl::quick::Parts;

/// What values are where they are read.
pub trait Operands {
    /// Writes a value as it is read.
    fn push(&self, out: &mut Parts, id: ValueId);

    /// The same before a `.`, where a negative literal is put in parentheses: `-1i8.abs()` is −(1.abs()).
    fn push_receiver(&self, out: &mut Parts, id: ValueId);

    /// A value as it is read, as a text of its own.
    fn text(&self, id: ValueId) -> String {
        let mut text = Parts::default();
        self.push(&mut text, id);
        text.finish()
    }

    /// The same before a `.`.
    fn receiver(&self, id: ValueId) -> String {
        let mut text = Parts::default();
        self.push_receiver(&mut text, id);
        text.finish()
    }
}

/// What is known of integer divisors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// They were proved not to be zero.
    Proved,
    /// A divisor may be zero where the quotient is not used.
    Unguarded,
}

/// Writes the expression of a node that has operands, over what all values are where they are read.
pub fn push(out: &mut Parts, body: &Body, node: &Node, values: &impl Operands, division: Division) {
    match node.op {
        Op::Unary(op, a) => unary(out, op, node.ty, values, a),
        Op::Binary(op, a, b) => binary(out, op, body.node(a).ty, values, [a, b], division),
        Op::MulAdd(a, b, c) => {
            let [a, b, c] = [a, b, c].map(|id| values.text(id));
            out.push_all(&["::windrow::__rt::scalar::mul_add(", &a, ", ", &b, ", ", &c, ")"]);
        }
        Op::Select { condition, then, otherwise } => {
            out.push("if ");
            values.push(out, condition);
            out.push(" { ");
            values.push(out, then);
            out.push(" } else { ");
            values.push(out, otherwise);
            out.push(" }");
        }
        Op::Cast(mode, a) => cast(out, mode, body.node(a).ty, node.ty, values, a),
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
        | Op::Outcome { .. } => {}
    }
}

/// Writes a binary operation on operands of a type, where a divisor was proved not to be zero.
pub fn push_binary(out: &mut Parts, op: BinaryOp, ty: Type, values: &impl Operands, operands: [ValueId; 2]) {
    binary(out, op, ty, values, operands, Division::Proved);
}

/// Writes a unary operation: what comes before its operand, and after it.
fn unary(out: &mut Parts, op: UnaryOp, ty: Type, values: &impl Operands, a: ValueId) {
    let is_float = ty.is_float();
    let [before, behind] = match op {
        UnaryOp::Neg(_) if is_float => ["-", ""],
        UnaryOp::Neg(Never | Wrap) => ["", ".wrapping_neg()"],
        UnaryOp::Not => ["!", ""],
        UnaryOp::Abs(_) if is_float => ["", ".abs()"],
        UnaryOp::Abs(Never | Wrap) => ["", ".wrapping_abs()"],
        UnaryOp::UnsignedAbs => ["", ".unsigned_abs()"],
        UnaryOp::Neg(Saturate) => ["", ".saturating_neg()"],
        UnaryOp::Abs(Saturate) => ["", ".saturating_abs()"],
        UnaryOp::Signum => ["", ".signum()"],
        UnaryOp::Sqrt => ["::windrow::__rt::scalar::sqrt(", ")"],
        UnaryOp::Isqrt => ["", ".isqrt()"],
        UnaryOp::CountOnes => ["", ".count_ones()"],
        UnaryOp::LeadingZeros => ["", ".leading_zeros()"],
        UnaryOp::TrailingZeros => ["", ".trailing_zeros()"],
        UnaryOp::Floor => ["::windrow::__rt::scalar::floor(", ")"],
        UnaryOp::Ceil => ["::windrow::__rt::scalar::ceil(", ")"],
        UnaryOp::Trunc => ["::windrow::__rt::scalar::trunc(", ")"],
        UnaryOp::RoundTiesEven => ["::windrow::__rt::scalar::round_ties_even(", ")"],
        UnaryOp::IsNan => ["", ".is_nan()"],
        UnaryOp::FromBits => ["f32::from_bits(", ")"],
        UnaryOp::ToBits => ["", ".to_bits()"],
        UnaryOp::FromHalf => ["::windrow::__rt::scalar::from_half(", ")"],
        UnaryOp::ToHalf => ["::windrow::__rt::scalar::to_half(", ")"],
    };
    out.push(before);
    values.push_receiver(out, a);
    out.push(behind);
}

/// Writes a binary operation: what comes before its operands, between them and after them.
fn binary(out: &mut Parts, op: BinaryOp, ty: Type, values: &impl Operands, [a, b]: [ValueId; 2], division: Division) {
    let (is_float, is_proved) = (ty.is_float(), division == Division::Proved);
    let [before, between, behind] = match op {
        BinaryOp::Add(_) if is_float => ["", " + ", ""],
        BinaryOp::Sub(_) if is_float => ["", " - ", ""],
        BinaryOp::Mul(_) if is_float => ["", " * ", ""],
        BinaryOp::Div if is_float => ["", " / ", ""],
        BinaryOp::Min if is_float => ["::windrow::__rt::scalar::min(", ", ", ")"],
        BinaryOp::Max if is_float => ["::windrow::__rt::scalar::max(", ", ", ")"],
        BinaryOp::Add(Never | Wrap) => ["", ".wrapping_add(", ")"],
        BinaryOp::Sub(Never | Wrap) => ["", ".wrapping_sub(", ")"],
        BinaryOp::Mul(Never | Wrap) => ["", ".wrapping_mul(", ")"],
        BinaryOp::Div if is_proved => ["", ".wrapping_div(", ")"],
        BinaryOp::Rem if is_proved => ["", ".wrapping_rem(", ")"],
        BinaryOp::Div => ["", ".checked_div(", ").unwrap_or(0)"],
        BinaryOp::Rem => ["", ".checked_rem(", ").unwrap_or(0)"],
        BinaryOp::Shl(_) => ["", ".wrapping_shl(", ")"],
        BinaryOp::Shr => ["", ".wrapping_shr(", ")"],
        BinaryOp::And => ["", " & ", ""],
        BinaryOp::Or => ["", " | ", ""],
        BinaryOp::Xor => ["", " ^ ", ""],
        BinaryOp::Min => ["", ".min(", ")"],
        BinaryOp::Max => ["", ".max(", ")"],
        BinaryOp::AbsDiff => ["", ".abs_diff(", ")"],
        BinaryOp::Add(Saturate) => ["", ".saturating_add(", ")"],
        BinaryOp::Sub(Saturate) => ["", ".saturating_sub(", ")"],
        BinaryOp::Mul(Saturate) => ["", ".saturating_mul(", ")"],
        BinaryOp::Eq => ["", " == ", ""],
        BinaryOp::Ne => ["", " != ", ""],
        BinaryOp::Lt => ["", " < ", ""],
        BinaryOp::Le => ["", " <= ", ""],
        BinaryOp::Gt => ["", " > ", ""],
        BinaryOp::Ge => ["", " >= ", ""],
        BinaryOp::HalvingAdd | BinaryOp::RoundingHalvingAdd | BinaryOp::MulHigh | BinaryOp::RoundingShr => {
            return out.push(&widened(op, ty, &values.receiver(a), &values.text(b)));
        }
    };
    out.push(before);
    values.push_receiver(out, a);
    out.push(between);
    values.push(out, b);
    out.push(behind);
}

/// An operation that is computed in twice the width.
fn widened(op: BinaryOp, ty: Type, a: &str, b: &str) -> String {
    let (wide, narrow) = (wide_name(ty), ty.name());
    match op {
        BinaryOp::HalvingAdd => format!("(({a} as {wide} + {b} as {wide}) >> 1) as {narrow}"),
        BinaryOp::RoundingHalvingAdd => format!("(({a} as {wide} + {b} as {wide} + 1) >> 1) as {narrow}"),
        BinaryOp::MulHigh => format!("(({a} as {wide} * {b} as {wide}) >> {}) as {narrow}", ty.bits()),
        _ => format!("(({a} as {wide} + ((1 << {b}) >> 1)) >> {b}) as {narrow}"),
    }
}

fn cast(out: &mut Parts, mode: CastMode, from: Type, to: Type, values: &impl Operands, a: ValueId) {
    values.push_receiver(out, a);
    match mode {
        CastMode::Saturating if from.is_integer() && to.is_integer() => {
            let ((from_lo, from_hi), (lo, hi)) = (from.limits(), to.limits());
            if from_lo < lo {
                out.push(&format!(".max({lo})"));
            }
            if from_hi > hi {
                out.push(&format!(".min({hi})"));
            }
        }
        CastMode::Value | CastMode::Wrapping | CastMode::Saturating if from == Type::BOOL && to.is_float() => {
            out.push(" as u8");
        }
        CastMode::Value | CastMode::Wrapping | CastMode::Saturating => {}
    }
    out.push_all(&[" as ", to.name()]);
}
