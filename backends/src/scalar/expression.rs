//! One operation of the IR as a Rust expression.

use super::is_constant;
use crate::rows::wide_name;
use crate::text::joined;
use std::borrow::Cow;
use windrow_dsl::arithmetic::{bits, limits};
use windrow_dsl::dump::type_name;
use windrow_dsl::ir::{BinaryOp, Body, CastMode, Node, Op, Type, UnaryOp, ValueId};

/// What is known of integer divisors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// They were proved not to be zero.
    Proved,
    /// A divisor may be zero where nobody looks at the quotient.
    Unguarded,
}

/// The expression of a node that has operands, over the texts of all values.
pub fn of(body: &Body, node: &Node, values: &[String], division: Division) -> String {
    let at = |id: ValueId| values[id.0 as usize].as_str();
    // A literal before a `.` is put in parentheses: `-1i8.abs()` is −(1.abs()).
    let receiver = |id: ValueId| match at(id) {
        text if is_constant(body.node(id)) && text.starts_with('-') => Cow::Owned(format!("({text})")),
        text => Cow::Borrowed(text),
    };
    match node.op {
        Op::Unary(op, a) => unary(op, node.ty, &receiver(a)),
        Op::Binary(op, a, b) => binary(op, body.node(a).ty, &receiver(a), at(b), division),
        Op::MulAdd(a, b, c) => format!("::windrow::__rt::scalar::mul_add({}, {}, {})", at(a), at(b), at(c)),
        Op::Select { condition, then, otherwise } => {
            format!("if {} {{ {} }} else {{ {} }}", at(condition), at(then), at(otherwise))
        }
        Op::Cast(mode, a) => cast(mode, body.node(a).ty, node.ty, &receiver(a)),
        Op::Constant(_)
        | Op::Input { .. }
        | Op::Uniform { .. }
        | Op::Coordinate { .. }
        | Op::Lookup { .. }
        | Op::Derived { .. } => String::new(),
    }
}

fn unary(op: UnaryOp, ty: Type, a: &str) -> String {
    let is_float = ty == Type::F32;
    let method = |name: &str| joined(&[a, ".", name, "()"]);
    let function = |name: &str| format!("::windrow::__rt::scalar::{name}({a})");
    match op {
        UnaryOp::Neg if is_float => format!("-{a}"),
        UnaryOp::Neg | UnaryOp::WrappingNeg => method("wrapping_neg"),
        UnaryOp::Not => format!("!{a}"),
        UnaryOp::Abs if is_float => method("abs"),
        UnaryOp::Abs | UnaryOp::WrappingAbs => method("wrapping_abs"),
        UnaryOp::UnsignedAbs => method("unsigned_abs"),
        UnaryOp::SaturatingNeg => method("saturating_neg"),
        UnaryOp::SaturatingAbs => method("saturating_abs"),
        UnaryOp::Signum => method("signum"),
        UnaryOp::Sqrt => function("sqrt"),
        UnaryOp::Isqrt => method("isqrt"),
        UnaryOp::CountOnes => method("count_ones"),
        UnaryOp::LeadingZeros => method("leading_zeros"),
        UnaryOp::TrailingZeros => method("trailing_zeros"),
        UnaryOp::Floor => function("floor"),
        UnaryOp::Ceil => function("ceil"),
        UnaryOp::Trunc => function("trunc"),
        UnaryOp::RoundTiesEven => function("round_ties_even"),
        UnaryOp::IsNan => method("is_nan"),
        UnaryOp::FromBits => format!("f32::from_bits({a})"),
        UnaryOp::ToBits => method("to_bits"),
    }
}

fn binary(op: BinaryOp, ty: Type, a: &str, b: &str, division: Division) -> String {
    let is_float = ty == Type::F32;
    let infix = |sign: &str| joined(&[a, " ", sign, " ", b]);
    let method = |name: &str| joined(&[a, ".", name, "(", b, ")"]);
    let integer = |sign: &str, name: &str| if is_float { infix(sign) } else { method(name) };
    let order = |name: &str| if is_float { format!("::windrow::__rt::scalar::{name}({a}, {b})") } else { method(name) };
    let divide = |name: &str| match division {
        Division::Proved => format!("{a}.wrapping_{name}({b})"),
        Division::Unguarded => format!("{a}.checked_{name}({b}).unwrap_or(0)"),
    };
    let (wide, narrow) = (wide_name(ty), type_name(ty));
    match op {
        BinaryOp::Add | BinaryOp::WrappingAdd => integer("+", "wrapping_add"),
        BinaryOp::Sub | BinaryOp::WrappingSub => integer("-", "wrapping_sub"),
        BinaryOp::Mul | BinaryOp::WrappingMul => integer("*", "wrapping_mul"),
        BinaryOp::Div if is_float => infix("/"),
        BinaryOp::Div => divide("div"),
        BinaryOp::Rem => divide("rem"),
        BinaryOp::Shl | BinaryOp::WrappingShl => method("wrapping_shl"),
        BinaryOp::Shr => method("wrapping_shr"),
        BinaryOp::And => infix("&"),
        BinaryOp::Or => infix("|"),
        BinaryOp::Xor => infix("^"),
        BinaryOp::Min => order("min"),
        BinaryOp::Max => order("max"),
        BinaryOp::AbsDiff => method("abs_diff"),
        BinaryOp::SaturatingAdd => method("saturating_add"),
        BinaryOp::SaturatingSub => method("saturating_sub"),
        BinaryOp::SaturatingMul => method("saturating_mul"),
        BinaryOp::HalvingAdd => format!("(({a} as {wide} + {b} as {wide}) >> 1) as {narrow}"),
        BinaryOp::RoundingHalvingAdd => format!("(({a} as {wide} + {b} as {wide} + 1) >> 1) as {narrow}"),
        BinaryOp::MulHigh => format!("(({a} as {wide} * {b} as {wide}) >> {}) as {narrow}", bits(ty)),
        BinaryOp::RoundingShr => format!("(({a} as {wide} + ((1 << {b}) >> 1)) >> {b}) as {narrow}"),
        BinaryOp::Eq => infix("=="),
        BinaryOp::Ne => infix("!="),
        BinaryOp::Lt => infix("<"),
        BinaryOp::Le => infix("<="),
        BinaryOp::Gt => infix(">"),
        BinaryOp::Ge => infix(">="),
    }
}

fn cast(mode: CastMode, from: Type, to: Type, a: &str) -> String {
    let name = type_name(to);
    match mode {
        CastMode::Saturating if from != Type::F32 && from != Type::Bool && to != Type::F32 => {
            let ((from_lo, from_hi), (lo, hi)) = (limits(from), limits(to));
            let least = if from_lo < lo { format!(".max({lo})") } else { String::new() };
            let greatest = if from_hi > hi { format!(".min({hi})") } else { String::new() };
            format!("{a}{least}{greatest} as {name}")
        }
        CastMode::Value | CastMode::Wrapping | CastMode::Saturating if from == Type::Bool && to == Type::F32 => {
            format!("{a} as u8 as f32")
        }
        CastMode::Value | CastMode::Wrapping | CastMode::Saturating => joined(&[a, " as ", name]),
    }
}
