//! What each operation of the language is in OpenCL C.
//!
//! Built-in functions stand where they mean the same. Checked arithmetic has been proved to fit on every path, and is
//! written plainly; what may wrap is computed unsigned, because C leaves signed overflow undefined. A statement's result
//! is converted to the type of its name, which is how the narrow results of C's int arithmetic come back.

use super::{
    block::Block,
    prelude::Helper,
    types::{Form, bits, integer, is_primary, signed},
};
use crate::text::joined;
use windrow_dsl::{
    arithmetic::{is_signed, unsigned},
    ir::{BinaryOp, CastMode, Constant, Op, Type, UnaryOp, ValueId},
};

/// The operands of an operation, in order.
pub fn operands(op: &Op) -> Vec<ValueId> {
    match *op {
        Op::Constant(_) | Op::Input { .. } | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Derived { .. } => vec![],
        Op::Lookup { index, .. } => vec![index],
        Op::Unary(_, a) | Op::Cast(_, a) => vec![a],
        Op::Binary(_, a, b) => vec![a, b],
        Op::MulAdd(a, b, c) => vec![a, b, c],
        Op::Select { condition, then, otherwise } => vec![then, otherwise, condition],
    }
}

/// The type that gives a vector of truth values its width: the first operand's that is a vector.
pub fn mask_operand(op: &Op, forms: &[Form]) -> Type {
    operands(op).iter().map(|id| forms[id.0 as usize]).find(|form| form.lanes > 1).map_or(Type::I8, |form| form.ty)
}

/// A unary operation with a result of `form`.
pub fn unary(cx: &mut Block<'_>, op: UnaryOp, a: ValueId, form: Form) -> String {
    let ty = cx.node(a).ty;
    let own = if ty == Type::Bool { form } else { form.of(ty) };
    let x = cx.argument(a, own);
    match op {
        UnaryOp::Neg => format!("-{x}"),
        UnaryOp::WrappingNeg => negate(cx, a, own),
        UnaryOp::Not if ty == Type::Bool && form.lanes == 1 => format!("!{x}"),
        UnaryOp::Not => format!("~{x}"),
        UnaryOp::Abs if ty == Type::F32 => format!("fabs({x})"),
        UnaryOp::Abs | UnaryOp::WrappingAbs if is_signed(ty) => reinterpret(&magnitude(cx, &x, own), form),
        UnaryOp::Abs | UnaryOp::WrappingAbs => x,
        UnaryOp::UnsignedAbs => magnitude(cx, &x, own),
        UnaryOp::SaturatingNeg => format!("sub_sat(({own})0, {x})"),
        UnaryOp::SaturatingAbs => format!("max({x}, sub_sat(({own})0, {x}))"),
        UnaryOp::Signum => format!("clamp({x}, ({own})(-1), ({own})1)"),
        UnaryOp::Sqrt => {
            cx.prelude.pull(Helper::Root, own);
            format!("root_{}({x})", own.suffix())
        }
        UnaryOp::Isqrt => isqrt(cx, &x, own),
        UnaryOp::CountOnes => count(&format!("popcount({x})"), own, form),
        UnaryOp::LeadingZeros => count(&format!("clz({x})"), own, form),
        UnaryOp::TrailingZeros => {
            let pattern = own.of(unsigned(ty));
            let x = reinterpret(&x, pattern);
            let below = format!("~{x} & ({x} - ({pattern})1)");
            let below = if own.lanes == 1 { format!("({pattern})({below})") } else { below };
            count(&format!("popcount({below})"), pattern, form)
        }
        UnaryOp::Floor => format!("floor({x})"),
        UnaryOp::Ceil => format!("ceil({x})"),
        UnaryOp::Trunc => format!("trunc({x})"),
        UnaryOp::RoundTiesEven => format!("rint({x})"),
        UnaryOp::IsNan => truth(cx, format!("isnan({x})"), own, form),
        UnaryOp::FromBits if cx.has_reals => format!("convert_{form}(as_{}({x}))", single(form)),
        UnaryOp::ToBits if cx.has_reals => format!("as_{form}(convert_{}({x}))", single(own)),
        UnaryOp::FromBits | UnaryOp::ToBits => format!("as_{form}({x})"),
    }
}

/// A binary operation with a result of `form`.
pub fn binary(cx: &mut Block<'_>, op: BinaryOp, a: ValueId, b: ValueId, form: Form) -> String {
    let ty = cx.node(a).ty;
    if ty == Type::Bool {
        return logical(cx, op, a, b, form);
    }
    let own = form.of(ty);
    let call = |cx: &Block<'_>, name: &str| joined(&[name, "(", &cx.argument(a, own), ", ", &cx.argument(b, own), ")"]);
    let infix = |cx: &Block<'_>, symbol: &str| joined(&[&cx.operand(a, own), " ", symbol, " ", &cx.operand(b, own)]);
    match op {
        BinaryOp::Add => infix(cx, "+"),
        BinaryOp::Sub => infix(cx, "-"),
        BinaryOp::Mul => product(cx, a, b, own),
        BinaryOp::WrappingAdd => wrapping(cx, "+", a, b, own),
        BinaryOp::WrappingSub => wrapping(cx, "-", a, b, own),
        BinaryOp::WrappingMul => wrapping(cx, "*", a, b, own),
        BinaryOp::Div if ty == Type::F32 => pulled(cx, Helper::Divide, "divide", a, b, own),
        BinaryOp::Div => infix(cx, "/"),
        BinaryOp::Rem => infix(cx, "%"),
        BinaryOp::Shl | BinaryOp::WrappingShl => shift_left(cx, op, a, b, own),
        BinaryOp::Shr => format!("{} >> {}", cx.operand(a, own), amount(cx, b, own)),
        BinaryOp::And => infix(cx, "&"),
        BinaryOp::Or => infix(cx, "|"),
        BinaryOp::Xor => infix(cx, "^"),
        BinaryOp::Min if ty == Type::F32 => pulled(cx, Helper::Minimum, "minimum", a, b, own),
        BinaryOp::Max if ty == Type::F32 => pulled(cx, Helper::Maximum, "maximum", a, b, own),
        BinaryOp::Min if cx.is_pair(own) => {
            cx.prelude.pull(Helper::MinimumPairs, own);
            call(cx, &format!("min_pairs{}", own.lanes))
        }
        BinaryOp::Max if cx.is_pair(own) => {
            cx.prelude.pull(Helper::MaximumPairs, own);
            call(cx, &format!("max_pairs{}", own.lanes))
        }
        BinaryOp::Min => call(cx, "min"),
        BinaryOp::Max => call(cx, "max"),
        BinaryOp::AbsDiff if ty == Type::I32 => pulled(cx, Helper::AbsDiff, "abs_diff", a, b, own),
        BinaryOp::AbsDiff => call(cx, "abs_diff"),
        BinaryOp::SaturatingAdd => call(cx, "add_sat"),
        BinaryOp::SaturatingSub => call(cx, "sub_sat"),
        BinaryOp::SaturatingMul => saturating_mul(cx, a, b, own),
        BinaryOp::HalvingAdd => call(cx, "hadd"),
        BinaryOp::RoundingHalvingAdd => call(cx, "rhadd"),
        BinaryOp::MulHigh => call(cx, "mul_hi"),
        BinaryOp::RoundingShr => rounding_shr(cx, a, b, own),
        BinaryOp::Eq => compare(cx, "==", a, b, form),
        BinaryOp::Ne => compare(cx, "!=", a, b, form),
        BinaryOp::Lt => compare(cx, "<", a, b, form),
        BinaryOp::Le => compare(cx, "<=", a, b, form),
        BinaryOp::Gt => compare(cx, ">", a, b, form),
        BinaryOp::Ge => compare(cx, ">=", a, b, form),
    }
}

/// `condition ? then : otherwise`, lane by lane where the condition is a mask.
pub fn select(cx: &Block<'_>, condition: ValueId, then: ValueId, otherwise: ValueId, form: Form) -> String {
    let own = cx.form(condition);
    let (then, otherwise) = (cx.operand(then, form), cx.operand(otherwise, form));
    if own.lanes == 1 {
        return format!("{} ? {then} : {otherwise}", cx.operand(condition, own));
    }
    let mask = cx.operand(condition, form.of(signed(form.ty)));
    let mask =
        if cx.has_reals && form.ty == Type::F32 { format!("convert_real_bits{}({mask})", form.lanes) } else { mask };
    format!("select({otherwise}, {then}, {mask})")
}

/// A conversion to `form`.
pub fn cast(cx: &Block<'_>, mode: CastMode, a: ValueId, form: Form) -> String {
    let from = cx.form(a);
    let ty = cx.node(a).ty;
    if ty == Type::Bool && from.lanes > 1 {
        return format!("convert_{form}({} & ({from})1)", cx.operand(a, from));
    }
    let own = form.of(ty);
    let x = cx.argument(a, own);
    let saturates = match (ty, form.ty, mode) {
        (Type::Bool, _, _) | (_, Type::F32 | Type::Bool, _) => false,
        (Type::F32, _, _) | (_, _, CastMode::Saturating) => true,
        (_, _, CastMode::Value | CastMode::Wrapping) => false,
    };
    if ty == form.ty {
        x
    } else if (ty, form.ty) == (Type::F32, Type::U32) {
        // The standard only recommends that NaN becomes 0: one driver makes it the greatest u32, though 0 in other types.
        let x = if is_primary(&x) { x } else { format!("({x})") };
        format!("convert_{form}_sat({x} > ({own})0 ? {x} : ({own})0)")
    } else if saturates {
        format!("convert_{form}_sat({x})")
    } else if form.lanes > 1 {
        format!("convert_{form}({x})")
    } else {
        format!("({form}){x}")
    }
}

/// A product that fits its type. (That of two ushorts need not fit the int that C makes of them.)
fn product(cx: &Block<'_>, a: ValueId, b: ValueId, own: Form) -> String {
    let int = if own == Form::scalar(Type::U16) { "(uint)" } else { "" };
    format!("{int}{} * {}", cx.operand(a, own), cx.operand(b, own))
}

/// `a symbol b`, wrapping.
fn wrapping(cx: &Block<'_>, symbol: &str, a: ValueId, b: ValueId, own: Form) -> String {
    match (own.ty, own.lanes) {
        (Type::U16, 1) if symbol == "*" => product(cx, a, b, own),
        // Two narrow scalars meet as ints, in which they fit.
        (Type::I8 | Type::I16, 1) | (Type::Bool | Type::U8 | Type::U16 | Type::U32 | Type::F32, _) => {
            format!("{} {symbol} {}", cx.operand(a, own), cx.operand(b, own))
        }
        (Type::I8 | Type::I16 | Type::I32, _) => {
            let (a, b) = (pattern(cx, a, own), pattern(cx, b, own));
            reinterpret(&format!("{a} {symbol} {b}"), own)
        }
    }
}

/// The magnitude of a signed value, in the unsigned type.
fn magnitude(cx: &mut Block<'_>, x: &str, own: Form) -> String {
    if own.ty != Type::I32 {
        return format!("abs({x})");
    }
    cx.prelude.pull(Helper::Abs, own);
    format!("abs_{}({x})", own.suffix())
}

fn negate(cx: &Block<'_>, a: ValueId, own: Form) -> String {
    let bits = own.of(unsigned(own.ty));
    match own.lanes {
        1 if own.ty != Type::I32 => format!("-{}", cx.operand(a, own)),
        _ => reinterpret(&format!("({bits})0 - {}", pattern(cx, a, own)), own),
    }
}

fn shift_left(cx: &Block<'_>, op: BinaryOp, a: ValueId, b: ValueId, own: Form) -> String {
    let by = amount(cx, b, own);
    let by = if op == BinaryOp::WrappingShl && cx.constant(b).is_none() {
        let by_form = if cx.form(b).lanes == 1 { Form::scalar(Type::U32) } else { own.of(unsigned(own.ty)) };
        let mask = bits(own.ty) - 1;
        if by_form.lanes == 1 { format!("({by} & {mask}u)") } else { format!("({by} & ({by_form}){mask})") }
    } else if let (BinaryOp::WrappingShl, Some(Constant::Int(by))) = (op, cx.constant(b)) {
        by.rem_euclid(i64::from(bits(own.ty))).to_string()
    } else {
        by
    };
    if is_signed(own.ty) {
        let x = if own.lanes == 1 { format!("(uint){}", cx.operand(a, own)) } else { pattern(cx, a, own) };
        return reinterpret(&format!("{x} << {by}"), own);
    }
    let x = cx.operand(a, own);
    if own.lanes == 1 && own.ty != Type::U32 { format!("(uint){x} << {by}") } else { format!("{x} << {by}") }
}

/// A shift amount: a scalar where it is the same for all lanes, else as wide as what is shifted.
fn amount(cx: &Block<'_>, b: ValueId, own: Form) -> String {
    match cx.constant(b) {
        Some(Constant::Int(value)) => value.to_string(),
        Some(_) | None if cx.form(b).lanes == 1 => cx.operand(b, Form::scalar(Type::U32)),
        Some(_) | None => cx.operand(b, own.of(unsigned(own.ty))),
    }
}

fn rounding_shr(cx: &mut Block<'_>, a: ValueId, b: ValueId, own: Form) -> String {
    let x = cx.operand(a, own);
    match cx.constant(b) {
        Some(Constant::Int(0)) => x,
        Some(Constant::Int(by)) if own.lanes == 1 => format!("({x} >> {by}) + (({x} >> {}) & 1)", by - 1),
        Some(Constant::Int(by)) => format!("({x} >> {by}) + (({x} >> {}) & ({own})1)", by - 1),
        Some(_) | None => {
            cx.prelude.pull(Helper::RoundingShr, own);
            format!("rounding_shr_{}({}, {})", own.suffix(), cx.argument(a, own), cx.operand(b, own))
        }
    }
}

fn saturating_mul(cx: &Block<'_>, a: ValueId, b: ValueId, own: Form) -> String {
    let wide = match bits(own.ty) {
        8 => own.of(if is_signed(own.ty) { Type::I16 } else { Type::U16 }).to_string(),
        16 => own.of(if is_signed(own.ty) { Type::I32 } else { Type::U32 }).to_string(),
        _ => format!("{}long{}", if is_signed(own.ty) { "" } else { "u" }, lanes(own)),
    };
    let (a, b) = (cx.argument(a, own), cx.argument(b, own));
    format!("convert_{own}_sat(convert_{wide}({a}) * convert_{wide}({b}))")
}

fn lanes(form: Form) -> String {
    if form.lanes == 1 { String::new() } else { form.lanes.to_string() }
}

fn compare(cx: &Block<'_>, symbol: &str, a: ValueId, b: ValueId, form: Form) -> String {
    let own = form.of(cx.node(a).ty);
    truth(cx, format!("{} {symbol} {}", cx.operand(a, own), cx.operand(b, own)), own, form)
}

/// A test of values of form `own`. The mask of a vector of floats is as wide as what they are computed in, and is brought to
/// 32 bits.
fn truth(cx: &Block<'_>, test: String, own: Form, form: Form) -> String {
    if cx.has_reals && own.ty == Type::F32 && own.lanes > 1 { format!("convert_{form}({test})") } else { test }
}

/// As many floats of 32 bits.
fn single(form: Form) -> String {
    if form.lanes == 1 { "float".to_owned() } else { format!("float{}", form.lanes) }
}

/// An operation on truth values: scalars are 0 or 1, masks all ones or none.
fn logical(cx: &Block<'_>, op: BinaryOp, a: ValueId, b: ValueId, form: Form) -> String {
    let (a, b) = (cx.operand(a, form), cx.operand(b, form));
    let not = if form.lanes == 1 { "!" } else { "~" };
    match op {
        BinaryOp::And | BinaryOp::Min | BinaryOp::Mul | BinaryOp::WrappingMul => format!("{a} & {b}"),
        BinaryOp::Or | BinaryOp::Max | BinaryOp::SaturatingAdd => format!("{a} | {b}"),
        BinaryOp::Xor | BinaryOp::Ne | BinaryOp::AbsDiff | BinaryOp::WrappingAdd => format!("{a} ^ {b}"),
        BinaryOp::Eq => format!("{not}({a} ^ {b})"),
        BinaryOp::Lt => format!("{not}{a} & {b}"),
        BinaryOp::Le => format!("{not}{a} | {b}"),
        BinaryOp::Gt => format!("{a} & {not}{b}"),
        BinaryOp::Ge => format!("{a} | {not}{b}"),
        // The language has no other operation on truth values.
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => a,
        BinaryOp::WrappingSub | BinaryOp::SaturatingSub | BinaryOp::SaturatingMul | BinaryOp::HalvingAdd => a,
        BinaryOp::RoundingHalvingAdd | BinaryOp::MulHigh | BinaryOp::RoundingShr | BinaryOp::WrappingShl => a,
    }
}

/// The integer square root, computed in 32 bits.
fn isqrt(cx: &mut Block<'_>, x: &str, own: Form) -> String {
    let wide = own.of(Type::U32);
    cx.prelude.pull(Helper::Isqrt, wide);
    let name = wide.suffix();
    match (own.ty == Type::U32, own.lanes) {
        (true, _) => format!("isqrt_{name}({x})"),
        (false, 1) => format!("isqrt_{name}((uint){x})"),
        (false, _) => format!("convert_{own}(isqrt_{name}(convert_{wide}({x})))"),
    }
}

/// A count of bits, found in the operand's type, as u32.
fn count(counted: &str, own: Form, form: Form) -> String {
    match (bits(own.ty), own.lanes) {
        (32, _) if own.ty == Type::U32 => counted.to_owned(),
        (32, _) => reinterpret(counted, form),
        (_, 1) => counted.to_owned(),
        (_, _) => format!("convert_{form}({counted})"),
    }
}

fn pulled(cx: &mut Block<'_>, helper: Helper, name: &str, a: ValueId, b: ValueId, own: Form) -> String {
    cx.prelude.pull(helper, own);
    format!("{name}_{}({}, {})", own.suffix(), cx.argument(a, own), cx.argument(b, own))
}

/// The bits of a signed value as unsigned ones.
fn pattern(cx: &Block<'_>, id: ValueId, own: Form) -> String {
    let bits = own.of(unsigned(own.ty));
    match cx.constant(id) {
        Some(Constant::Int(value)) if value >= 0 => format!("({bits}){}", integer(value, bits.ty)),
        Some(_) | None => reinterpret(&cx.operand(id, own), bits),
    }
}

/// The same bits as another type of the same width.
fn reinterpret(text: &str, form: Form) -> String {
    if form.lanes > 1 {
        return format!("as_{form}({text})");
    }
    if is_primary(text) { format!("({form}){text}") } else { format!("({form})({text})") }
}
