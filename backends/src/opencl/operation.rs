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
use crate::text::{Parts, joined};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Type, UnaryOp, ValueId};

/// A unary operation with a result of `form`.
pub fn unary(cx: &mut Block<'_>, op: UnaryOp, a: ValueId, form: Form) -> String {
    let ty = cx.node(a).ty;
    let own = if ty == Type::Bool { form } else { form.of(ty) };
    let x = cx.argument(a, own);
    match op {
        UnaryOp::Neg(Never) => format!("-{x}"),
        UnaryOp::Neg(Wrap) => negate(cx, a, own),
        UnaryOp::Not if ty == Type::Bool && form.lanes == 1 => format!("!{x}"),
        UnaryOp::Not => format!("~{x}"),
        UnaryOp::Abs(Never) if ty == Type::F32 => format!("fabs({x})"),
        UnaryOp::Abs(Never | Wrap) if ty.is_signed() => reinterpret(&magnitude(cx, &x, own), form),
        UnaryOp::Abs(Never | Wrap) => x,
        UnaryOp::UnsignedAbs => magnitude(cx, &x, own),
        UnaryOp::Neg(Saturate) => format!("sub_sat(({own})0, {x})"),
        UnaryOp::Abs(Saturate) => format!("max({x}, sub_sat(({own})0, {x}))"),
        UnaryOp::Signum => format!("clamp({x}, ({own})(-1), ({own})1)"),
        UnaryOp::Sqrt => {
            cx.prelude.pull(Helper::Root, own);
            format!("root_{}({x})", own.suffix())
        }
        UnaryOp::Isqrt => isqrt(cx, &x, own),
        UnaryOp::CountOnes => count(&format!("popcount({x})"), own, form),
        UnaryOp::LeadingZeros => count(&format!("clz({x})"), own, form),
        UnaryOp::TrailingZeros => {
            let pattern = own.of(ty.unsigned());
            let x = reinterpret(&x, pattern);
            let below = format!("~{x} & ({x} - ({pattern})1)");
            let below = if own.lanes == 1 { format!("({pattern})({below})") } else { below };
            count(&format!("popcount({below})"), pattern, form)
        }
        UnaryOp::Floor => format!("floor({x})"),
        UnaryOp::Ceil => format!("ceil({x})"),
        UnaryOp::Trunc => format!("trunc({x})"),
        UnaryOp::RoundTiesEven => format!("rint({x})"),
        UnaryOp::IsNan if is_brought_to_mask(cx, own) => format!("convert_{form}(isnan({x}))"),
        UnaryOp::IsNan => format!("isnan({x})"),
        UnaryOp::FromBits if cx.has_reals => format!("convert_{form}(as_{}({x}))", single(form)),
        UnaryOp::ToBits if cx.has_reals => format!("as_{form}(convert_{}({x}))", single(own)),
        UnaryOp::FromBits | UnaryOp::ToBits => format!("as_{form}({x})"),
    }
}

/// Writes a binary operation with a result of `form`.
pub fn binary(cx: &mut Block<'_>, out: &mut Parts, op: BinaryOp, operands: [ValueId; 2], form: Form) {
    let [a, b] = operands;
    let ty = cx.node(a).ty;
    if ty == Type::Bool {
        return out.push(&logical(cx, op, a, b, form));
    }
    let own = form.of(ty);
    match op {
        BinaryOp::Add(Never) => infix(cx, out, " + ", operands, own),
        BinaryOp::Sub(Never) => infix(cx, out, " - ", operands, own),
        BinaryOp::Mul(Never) => product(cx, out, operands, own),
        BinaryOp::Add(Wrap) => wrapping(cx, out, " + ", operands, own),
        BinaryOp::Sub(Wrap) => wrapping(cx, out, " - ", operands, own),
        BinaryOp::Mul(Wrap) => wrapping(cx, out, " * ", operands, own),
        BinaryOp::Div if ty == Type::F32 => pulled(cx, out, (Helper::Divide, "divide_"), operands, own),
        BinaryOp::Div => infix(cx, out, " / ", operands, own),
        BinaryOp::Rem => infix(cx, out, " % ", operands, own),
        BinaryOp::Shl(_) => out.push(&shift_left(cx, op, a, b, own)),
        BinaryOp::Shr => {
            cx.push_operand(out, a, own);
            out.push_all(&[" >> ", &amount(cx, b, own)]);
        }
        BinaryOp::And => infix(cx, out, " & ", operands, own),
        BinaryOp::Or => infix(cx, out, " | ", operands, own),
        BinaryOp::Xor => infix(cx, out, " ^ ", operands, own),
        BinaryOp::Min if ty == Type::F32 => pulled(cx, out, (Helper::Minimum, "minimum_"), operands, own),
        BinaryOp::Max if ty == Type::F32 => pulled(cx, out, (Helper::Maximum, "maximum_"), operands, own),
        BinaryOp::Min if cx.is_pair(own) => of_pairs(cx, out, (Helper::MinimumPairs, "min_pairs"), operands, own),
        BinaryOp::Max if cx.is_pair(own) => of_pairs(cx, out, (Helper::MaximumPairs, "max_pairs"), operands, own),
        BinaryOp::Min => call(cx, out, "min", operands, own),
        BinaryOp::Max => call(cx, out, "max", operands, own),
        BinaryOp::AbsDiff if ty == Type::I32 => pulled(cx, out, (Helper::AbsDiff, "abs_diff_"), operands, own),
        BinaryOp::AbsDiff => call(cx, out, "abs_diff", operands, own),
        BinaryOp::Add(Saturate) => call(cx, out, "add_sat", operands, own),
        BinaryOp::Sub(Saturate) => call(cx, out, "sub_sat", operands, own),
        BinaryOp::Mul(Saturate) => out.push(&saturating_mul(cx, a, b, own)),
        BinaryOp::HalvingAdd => call(cx, out, "hadd", operands, own),
        BinaryOp::RoundingHalvingAdd => call(cx, out, "rhadd", operands, own),
        BinaryOp::MulHigh => call(cx, out, "mul_hi", operands, own),
        BinaryOp::RoundingShr => out.push(&rounding_shr(cx, a, b, own)),
        BinaryOp::Eq => compare(cx, out, " == ", operands, form),
        BinaryOp::Ne => compare(cx, out, " != ", operands, form),
        BinaryOp::Lt => compare(cx, out, " < ", operands, form),
        BinaryOp::Le => compare(cx, out, " <= ", operands, form),
        BinaryOp::Gt => compare(cx, out, " > ", operands, form),
        BinaryOp::Ge => compare(cx, out, " >= ", operands, form),
    }
}

/// Writes a call of a built-in function.
fn call(cx: &Block<'_>, out: &mut Parts, name: &str, operands: [ValueId; 2], own: Form) {
    out.push(name);
    arguments(cx, out, operands, own);
}

/// Writes two arguments, in parentheses.
fn arguments(cx: &Block<'_>, out: &mut Parts, [a, b]: [ValueId; 2], own: Form) {
    out.push("(");
    cx.push_argument(out, a, own);
    out.push(", ");
    cx.push_argument(out, b, own);
    out.push(")");
}

/// Writes a call of a helper, whose name ends in a form.
fn pulled(cx: &mut Block<'_>, out: &mut Parts, (helper, name): (Helper, &str), operands: [ValueId; 2], own: Form) {
    cx.prelude.pull(helper, own);
    call(cx, out, &joined(&[name, &own.suffix()]), operands, own);
}

/// Writes a call of a helper for pairs, whose name ends in how many words they are.
fn of_pairs(cx: &mut Block<'_>, out: &mut Parts, (helper, name): (Helper, &str), operands: [ValueId; 2], own: Form) {
    cx.prelude.pull(helper, own);
    out.push(name);
    out.push_number(own.lanes.into());
    arguments(cx, out, operands, own);
}

/// Writes an operator between its operands.
fn infix(cx: &Block<'_>, out: &mut Parts, symbol: &str, [a, b]: [ValueId; 2], own: Form) {
    cx.push_operand(out, a, own);
    out.push(symbol);
    cx.push_operand(out, b, own);
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

/// Writes a conversion to `form`.
pub fn cast(cx: &Block<'_>, out: &mut Parts, mode: CastMode, a: ValueId, form: Form) {
    let from = cx.form(a);
    let ty = cx.node(a).ty;
    if ty == Type::Bool && from.lanes > 1 {
        return out.push(&format!("convert_{form}({} & ({from})1)", cx.operand(a, from)));
    }
    let own = form.of(ty);
    let ((least, most), (from, to)) = (ty.limits(), form.ty.limits());
    let wraps = mode == CastMode::Wrapping && form.ty.is_signed() && (least < from || most > to);
    let saturates = match (ty, form.ty, mode) {
        (Type::Bool, _, _) | (_, Type::F32 | Type::Bool, _) => false,
        (Type::F32, _, _) | (_, _, CastMode::Saturating) => true,
        (_, _, CastMode::Value | CastMode::Wrapping) => false,
    };
    if ty == form.ty {
        cx.push_argument(out, a, own);
    } else if ty == Type::F32 && form.ty != Type::Bool && cx.may_be_nan(a) {
        // The standard only recommends that NaN becomes 0: one driver makes it the greatest u32, though 0 in other types.
        let x = cx.argument(a, own);
        let x = if is_primary(&x) { x } else { format!("({x})") };
        let test = if form.ty.is_signed() { format!("{x} == {x}") } else { format!("{x} > ({own})0") };
        out.push(&format!("convert_{form}_sat({test} ? {x} : ({own})0)"));
    } else if wraps && ty != Type::F32 {
        out.push(&wrapped(&cx.argument(a, own), form));
    } else if saturates || form.lanes > 1 {
        form.push_conversion_to(out);
        out.push(if saturates { "_sat(" } else { "(" });
        cx.push_argument(out, a, own);
        out.push(")");
    } else {
        form.push_cast_to(out);
        cx.push_argument(out, a, own);
    }
}

/// Writes a product that fits its type. (That of two ushorts need not fit the int that C makes of them.)
fn product(cx: &Block<'_>, out: &mut Parts, operands: [ValueId; 2], own: Form) {
    if own == Form::scalar(Type::U16) {
        out.push("(uint)");
    }
    infix(cx, out, " * ", operands, own);
}

/// Writes `a symbol b`, wrapping.
fn wrapping(cx: &Block<'_>, out: &mut Parts, symbol: &str, operands: [ValueId; 2], own: Form) {
    match (own.ty, own.lanes) {
        (Type::U16, 1) if symbol == " * " => product(cx, out, operands, own),
        // Two narrow scalars meet as ints, in which they fit.
        (Type::I8 | Type::I16, 1) => {
            let [a, b] = operands.map(|operand| cx.operand(operand, own));
            out.push(&wrapped(&joined(&[&a, symbol, &b]), own));
        }
        (Type::Bool | Type::U8 | Type::U16 | Type::U32 | Type::F32, _) => {
            infix(cx, out, symbol, operands, own);
        }
        (Type::I8 | Type::I16 | Type::I32, _) => {
            let [a, b] = operands.map(|operand| pattern(cx, operand, own));
            out.push(&reinterpret(&joined(&[&a, symbol, &b]), own));
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
    let bits = own.of(own.ty.unsigned());
    match own.lanes {
        1 if matches!(own.ty, Type::I8 | Type::I16) => wrapped(&format!("-{}", cx.operand(a, own)), own),
        1 if own.ty != Type::I32 => format!("-{}", cx.operand(a, own)),
        _ => reinterpret(&format!("({bits})0 - {}", pattern(cx, a, own)), own),
    }
}

fn shift_left(cx: &Block<'_>, op: BinaryOp, a: ValueId, b: ValueId, own: Form) -> String {
    let by = amount(cx, b, own);
    let by = if op == BinaryOp::Shl(Wrap) && cx.constant(b).is_none() {
        let by_form = if cx.form(b).lanes == 1 { Form::scalar(Type::U32) } else { own.of(own.ty.unsigned()) };
        let mask = bits(own.ty) - 1;
        if by_form.lanes == 1 { format!("({by} & {mask}u)") } else { format!("({by} & ({by_form}){mask})") }
    } else if let (BinaryOp::Shl(Wrap), Some(Constant::Int(by))) = (op, cx.constant(b)) {
        by.rem_euclid(i64::from(bits(own.ty))).to_string()
    } else {
        by
    };
    if own.ty.is_signed() {
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
        Some(_) | None => cx.operand(b, own.of(own.ty.unsigned())),
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
        8 => own.of(if own.ty.is_signed() { Type::I16 } else { Type::U16 }).to_string(),
        16 => own.of(if own.ty.is_signed() { Type::I32 } else { Type::U32 }).to_string(),
        _ => format!("{}long{}", if own.ty.is_signed() { "" } else { "u" }, lanes(own)),
    };
    let (a, b) = (cx.argument(a, own), cx.argument(b, own));
    format!("convert_{own}_sat(convert_{wide}({a}) * convert_{wide}({b}))")
}

fn lanes(form: Form) -> String {
    if form.lanes == 1 { String::new() } else { form.lanes.to_string() }
}

/// Writes a comparison.
fn compare(cx: &Block<'_>, out: &mut Parts, symbol: &str, operands: [ValueId; 2], form: Form) {
    let own = form.of(cx.node(operands[0]).ty);
    if is_brought_to_mask(cx, own) {
        form.push_conversion_to(out);
        out.push("(");
        infix(cx, out, symbol, operands, own);
        return out.push(")");
    }
    infix(cx, out, symbol, operands, own);
}

/// Whether a test of values of form `own` has to be converted: the mask of a vector of floats is as wide as what they are
/// computed in, and is brought to 32 bits.
fn is_brought_to_mask(cx: &Block<'_>, own: Form) -> bool {
    cx.has_reals && own.ty == Type::F32 && own.lanes > 1
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
        BinaryOp::And | BinaryOp::Min => format!("{a} & {b}"),
        BinaryOp::Or | BinaryOp::Max => format!("{a} | {b}"),
        BinaryOp::Xor | BinaryOp::Ne | BinaryOp::AbsDiff => format!("{a} ^ {b}"),
        BinaryOp::Eq => format!("{not}({a} ^ {b})"),
        BinaryOp::Lt => format!("{not}{a} & {b}"),
        BinaryOp::Le => format!("{not}{a} | {b}"),
        BinaryOp::Gt => format!("{a} & {not}{b}"),
        BinaryOp::Ge => format!("{a} | {not}{b}"),
        // The language has no other operation on truth values.
        BinaryOp::Add(_) | BinaryOp::Sub(_) | BinaryOp::Mul(_) | BinaryOp::Div | BinaryOp::Rem => a,
        BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr | BinaryOp::MulHigh => a,
        BinaryOp::HalvingAdd | BinaryOp::RoundingHalvingAdd => a,
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

/// The bits of a signed value as unsigned ones.
fn pattern(cx: &Block<'_>, id: ValueId, own: Form) -> String {
    let bits = own.of(own.ty.unsigned());
    match cx.constant(id) {
        Some(Constant::Int(value)) if value >= 0 => format!("({bits}){}", integer(value, bits.ty)),
        Some(_) | None => reinterpret(&cx.operand(id, own), bits),
    }
}

/// A value of any integer type modulo 2^width, as a signed one: C leaves to its implementations what becomes of a value
/// that a signed type lacks, and says it of unsigned ones.
fn wrapped(text: &str, form: Form) -> String {
    let bits = form.of(form.ty.unsigned());
    if form.lanes > 1 {
        return format!("as_{form}(convert_{bits}({text}))");
    }
    if is_primary(text) { format!("as_{form}(({bits}){text})") } else { format!("as_{form}(({bits})({text}))") }
}

/// The same bits as another type of the same width.
fn reinterpret(text: &str, form: Form) -> String {
    if form.lanes > 1 || form.ty == Type::I32 {
        return format!("as_{form}({text})");
    }
    if form.ty.is_signed() {
        return wrapped(text, form);
    }
    if is_primary(text) { format!("({form}){text}") } else { format!("({form})({text})") }
}
