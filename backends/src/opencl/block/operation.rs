//! What each operation of the language is in OpenCL C.
//!
//! Built-in functions are used where they mean the same. Checked arithmetic has been proved to fit on every path, and is
//! written plainly; what may wrap is computed unsigned, because C leaves signed overflow undefined. A statement's result
//! is converted to the type of its name, which is how the narrow results of C's int arithmetic come back.

use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::Expr;
use crate::opencl::c::types::{CType, bits, digits, signed};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Op, Type, UnaryOp, ValueId};
use windrow_dsl::operators;

/// A unary operation with a result of a type.
pub fn unary(cx: &mut BlockWriter<'_>, op: UnaryOp, a: ValueId, result: CType) -> Expr {
    let ty = cx.node(a).ty;
    let own = if ty == Type::BOOL { result } else { result.of(ty) };
    let x = cx.argument(a, own);
    let zero = || Expr::number(0).cast(own);
    match op {
        UnaryOp::Neg(Never) => x.prefix("-"),
        UnaryOp::Neg(Wrap) => negate(cx, a, own),
        UnaryOp::Not if ty == Type::BOOL && result.lanes == 1 => x.prefix("!"),
        UnaryOp::Not => x.prefix("~"),
        UnaryOp::Abs(Never) if ty.is_float() => Expr::call("fabs", [x]),
        UnaryOp::Abs(Never | Wrap) if ty.is_signed() => reinterpret(magnitude(cx, x, own), result),
        UnaryOp::Abs(Never | Wrap) => x,
        UnaryOp::UnsignedAbs => magnitude(cx, x, own),
        UnaryOp::Neg(Saturate) => Expr::call("sub_sat", [zero(), x]),
        UnaryOp::Abs(Saturate) => Expr::call("max", [x.clone(), Expr::call("sub_sat", [zero(), x])]),
        UnaryOp::Signum => Expr::call("clamp", [x, Expr::number(-1).cast(own), Expr::number(1).cast(own)]),
        UnaryOp::Sqrt if ty == Type::F64 => Expr::call("sqrt", [x]),
        UnaryOp::Sqrt => cx.prelude.call(Helper::Root, own, [x]),
        UnaryOp::Isqrt => isqrt(cx, x, own),
        UnaryOp::CountOnes => count("popcount", x, own, result),
        UnaryOp::LeadingZeros => count("clz", x, own, result),
        UnaryOp::TrailingZeros => {
            let pattern = own.unsigned();
            let x = reinterpret(x, pattern);
            let below = x.clone().infix("-", Expr::number(1).cast(pattern));
            let below = x.prefix("~").infix("&", below);
            count("popcount", if own.lanes == 1 { below.cast(pattern) } else { below }, pattern, result)
        }
        UnaryOp::Floor => Expr::call("floor", [x]),
        UnaryOp::Ceil => Expr::call("ceil", [x]),
        UnaryOp::Trunc => Expr::call("trunc", [x]),
        UnaryOp::RoundTiesEven => Expr::call("rint", [x]),
        UnaryOp::IsNan => as_mask(cx, Expr::call("isnan", [x]), own, result),
        UnaryOp::FromBits if cx.function.floats.are_chosen => Expr::call(single("as_", result), [x]).convert(result),
        UnaryOp::ToBits if cx.function.floats.are_chosen => Expr::call(single("convert_", own), [x]).bits_as(result),
        UnaryOp::FromBits | UnaryOp::ToBits => x.bits_as(result),
        UnaryOp::FromHalf => {
            let floats = cx.prelude.call(Helper::FromHalf, own, [x]);
            if cx.function.floats.are_chosen { floats.convert(result) } else { floats }
        }
        UnaryOp::ToHalf => cx.prelude.call(Helper::ToHalf, own, [x]),
    }
}

/// The binary operation that a value is, with a result of a type; refused where C has none on values of the operands' type.
pub fn binary(cx: &mut BlockWriter<'_>, id: ValueId, op: BinaryOp, operands: [ValueId; 2], result: CType) -> Expr {
    let ty = cx.node(operands[0]).ty;
    let found = match ty {
        Type::BOOL => logical(cx, op, operands, result),
        _ => of_numbers(cx, op, operands, result),
    };
    found.unwrap_or_else(|| cx.refuse(id, &format!("{op:?}"), ty))
}

/// An operation on numbers; none where C has none.
fn of_numbers(cx: &mut BlockWriter<'_>, op: BinaryOp, [a, b]: [ValueId; 2], result: CType) -> Option<Expr> {
    use BinaryOp::*;
    let ty = cx.node(a).ty;
    let own = result.of(ty);
    // C has the language's tokens.
    let symbol = || operators::symbol(op).unwrap_or_default();
    let infix = |cx: &BlockWriter<'_>| cx.operand(a, own).infix(symbol(), cx.operand(b, own));
    Some(match op {
        Add(Never) | Sub(Never) | Rem | And | Or | Xor => infix(cx),
        Mul(Never) => product(cx, a, b, own),
        Add(Wrap) | Sub(Wrap) | Mul(Wrap) => wrapping(cx, symbol(), a, b, own),
        // C's own quotient and root of doubles are rounded correctly.
        Div if ty != Type::F32 => infix(cx),
        Shl(_) => shift_left(cx, op, a, b, own),
        Shr => cx.operand(a, own).infix(">>", amount(cx, b, own)),
        Div | Min | Max | AbsDiff | Add(Saturate) | Sub(Saturate) | HalvingAdd | RoundingHalvingAdd | MulHigh => {
            call(cx, op, [a, b], own)
        }
        Mul(Saturate) => return saturating_mul(cx, a, b, own),
        RoundingShr => rounding_shr(cx, a, b, own),
        Eq | Ne | Lt | Le | Gt | Ge => as_mask(cx, infix(cx), own, result),
    })
}

/// A binary operation that is a call: of a built-in function, or of a helper where none means the same.
fn call(cx: &mut BlockWriter<'_>, op: BinaryOp, [a, b]: [ValueId; 2], own: CType) -> Expr {
    use BinaryOp::*;
    let helper = match op {
        Div => Some(Helper::Divide),
        Min if own.ty.is_float() => Some(Helper::Minimum),
        Max if own.ty.is_float() => Some(Helper::Maximum),
        Min if cx.is_pair(own) => Some(Helper::MinimumPairs),
        Max if cx.is_pair(own) => Some(Helper::MaximumPairs),
        AbsDiff if own.ty == Type::I32 => Some(Helper::AbsDiff),
        _ => None,
    };
    let mut arguments = [cx.argument(a, own), cx.argument(b, own)];
    if let Some(helper) = helper {
        return cx.prelude.call(helper, own, arguments);
    }
    if matches!(op, Min | Max) {
        for (argument, value) in arguments.iter_mut().zip([a, b]) {
            if may_be_negation(cx, value) {
                let sum = cx.operand(value, own).infix("+", cx.prelude.call(Helper::Zero, own, []));
                *argument = if own.lanes == 1 { sum.cast(own) } else { sum };
            }
        }
    }
    let name = match op {
        Min => "min",
        Max => "max",
        AbsDiff => "abs_diff",
        Add(_) => "add_sat",
        Sub(_) => "sub_sat",
        HalvingAdd => "hadd",
        RoundingHalvingAdd => "rhadd",
        _ => "mul_hi",
    };
    Expr::call(name, arguments)
}

/// Whether a compiler may find that an integer is another one negated.
fn may_be_negation(cx: &BlockWriter<'_>, mut value: ValueId) -> bool {
    let is_number = |value, number| cx.constant(value) == Some(Constant::Int(number));
    loop {
        value = match cx.node(value).op {
            Op::Unary(UnaryOp::Neg(_), _) => return true,
            Op::Binary(BinaryOp::Sub(_), a, _) if is_number(a, 0) => return true,
            Op::Binary(BinaryOp::Mul(_), a, b) => return is_number(a, -1) || is_number(b, -1),
            Op::Cast(_, a) | Op::Binary(BinaryOp::Add(_) | BinaryOp::Sub(_), a, _) => a,
            _ => return false,
        };
    }
}

/// `condition ? then : otherwise`, lane by lane where the condition is a mask.
pub fn select(cx: &BlockWriter<'_>, condition: ValueId, then: ValueId, otherwise: ValueId, result: CType) -> Expr {
    let own = cx.ty(condition);
    let (then, otherwise) = (cx.operand(then, result), cx.operand(otherwise, result));
    if own.lanes == 1 {
        return cx.operand(condition, own).choose(then, otherwise);
    }
    let mask = cx.operand(condition, result.of(signed(result.ty)));
    let floats = cx.function.floats;
    let mask = match floats.are_chosen && result.ty == Type::F32 {
        true => Expr::call(floats.bits("convert_", result.lanes), [mask]),
        false => mask,
    };
    Expr::call("select", [otherwise, then, mask])
}

/// A conversion to a type.
pub fn cast(cx: &BlockWriter<'_>, mode: CastMode, a: ValueId, result: CType) -> Expr {
    let (from, ty) = (cx.ty(a), cx.node(a).ty);
    if ty == Type::BOOL && from.lanes > 1 {
        return cx.operand(a, from).infix("&", Expr::number(1).cast(from)).convert(result);
    }
    let own = result.of(ty);
    let x = cx.argument(a, own);
    let ((least, most), (lowest, highest)) = (ty.limits(), result.ty.limits());
    let wraps = mode == CastMode::Wrapping && result.ty.is_signed() && (least < lowest || most > highest);
    let saturates = match (ty, result.ty, mode) {
        (Type::BOOL, _, _) | (_, Type::F32 | Type::F64 | Type::BOOL, _) => false,
        (Type::F32 | Type::F64, _, _) | (_, _, CastMode::Saturating) => true,
        (_, _, CastMode::Value | CastMode::Wrapping) => false,
    };
    if ty == result.ty {
        x
    } else if ty.is_float() && result.ty.is_integer() && cx.may_be_nan(a) {
        // The standard only recommends that NaN becomes 0: one driver makes it the greatest u32, though 0 in other types.
        let (x, zero) = (x.grouped(), Expr::number(0).cast(own));
        let is_number = match result.ty.is_signed() {
            true => x.clone().infix("==", x.clone()),
            false => x.clone().infix(">", zero.clone()),
        };
        is_number.choose(x, zero).saturate(result)
    } else if wraps && !ty.is_float() {
        wrapped(x, result)
    } else if saturates {
        x.saturate(result)
    } else if result.lanes > 1 {
        x.convert(result)
    } else {
        x.cast(result)
    }
}

/// A product that fits its type. (That of two ushorts need not fit the int that C makes of them.)
fn product(cx: &BlockWriter<'_>, a: ValueId, b: ValueId, own: CType) -> Expr {
    let x = cx.operand(a, own);
    let x = if own == CType::scalar(Type::U16) { x.cast(CType::scalar(Type::U32)) } else { x };
    x.infix("*", cx.operand(b, own))
}

/// `a operator b`, wrapping.
fn wrapping(cx: &BlockWriter<'_>, operator: &'static str, a: ValueId, b: ValueId, own: CType) -> Expr {
    let of = |x: Expr, y: Expr| x.infix(operator, y);
    match (own.ty, own.lanes) {
        (Type::U16, 1) if operator == "*" => product(cx, a, b, own),
        // Two narrow scalars meet as ints, in which they fit.
        (Type::I8 | Type::I16, 1) => wrapped(of(cx.operand(a, own), cx.operand(b, own)), own),
        (ty, _) if ty.is_signed() => reinterpret(of(pattern(cx, a, own), pattern(cx, b, own)), own),
        _ => of(cx.operand(a, own), cx.operand(b, own)),
    }
}

/// The magnitude of a signed value, in the unsigned type.
fn magnitude(cx: &mut BlockWriter<'_>, x: Expr, own: CType) -> Expr {
    match own.ty {
        Type::I32 => cx.prelude.call(Helper::Abs, own, [x]),
        _ => Expr::call("abs", [x]),
    }
}

fn negate(cx: &BlockWriter<'_>, a: ValueId, own: CType) -> Expr {
    match own.lanes {
        1 if matches!(own.ty, Type::I8 | Type::I16) => wrapped(cx.operand(a, own).prefix("-"), own),
        1 if !own.ty.is_signed() => cx.operand(a, own).prefix("-"),
        _ => reinterpret(Expr::number(0).cast(own.unsigned()).infix("-", pattern(cx, a, own)), own),
    }
}

fn shift_left(cx: &BlockWriter<'_>, op: BinaryOp, a: ValueId, b: ValueId, own: CType) -> Expr {
    let (by, width) = (amount(cx, b, own), i128::from(bits(own.ty)));
    let by = match (op, cx.constant(b)) {
        (BinaryOp::Shl(Wrap), Some(Constant::Int(by))) => Expr::number(by.rem_euclid(width)),
        (BinaryOp::Shl(Wrap), None) if cx.ty(b).lanes == 1 => by.infix("&", Expr::name(format!("{}u", width - 1))),
        (BinaryOp::Shl(Wrap), None) => by.infix("&", Expr::number(width - 1).cast(own.unsigned())),
        _ => by,
    };
    let pattern_of_int = if bits(own.ty) == 64 { Type::U64 } else { Type::U32 };
    let (x, word) = (cx.operand(a, own), CType::scalar(pattern_of_int));
    match (own.ty.is_signed(), own.lanes) {
        (true, 1) => reinterpret(x.cast(word).infix("<<", by), own),
        (true, _) => reinterpret(pattern(cx, a, own).infix("<<", by), own),
        (false, 1) if own.ty != Type::U32 => x.cast(word).infix("<<", by),
        (false, _) => x.infix("<<", by),
    }
}

/// A shift amount: a scalar where it is the same for all lanes, else as wide as what is shifted.
fn amount(cx: &BlockWriter<'_>, b: ValueId, own: CType) -> Expr {
    match cx.constant(b) {
        Some(Constant::Int(value)) => Expr::number(value),
        _ if cx.ty(b).lanes == 1 => cx.operand(b, CType::scalar(Type::U32)),
        _ => cx.operand(b, own.unsigned()),
    }
}

fn rounding_shr(cx: &mut BlockWriter<'_>, a: ValueId, b: ValueId, own: CType) -> Expr {
    match cx.constant(b) {
        Some(Constant::Int(0)) => cx.operand(a, own),
        Some(Constant::Int(by)) => {
            let (one, shifted) = (Expr::number(1), |by| cx.operand(a, own).infix(">>", Expr::number(by)));
            let one = if own.lanes == 1 { one } else { one.cast(own) };
            shifted(by).infix("+", shifted(by - 1).infix("&", one))
        }
        _ => {
            let arguments = [cx.argument(a, own), cx.operand(b, own)];
            cx.prelude.call(Helper::RoundingShr, own, arguments)
        }
    }
}

/// A product that saturates, by way of a type of twice the width; none where there is no such type.
fn saturating_mul(cx: &BlockWriter<'_>, a: ValueId, b: ValueId, own: CType) -> Option<Expr> {
    let wide = Type::of(own.ty.kind(), 2 * bits(own.ty))?;
    let [a, b] = [a, b].map(|id| cx.argument(id, own).convert(own.of(wide)));
    Some(a.infix("*", b).saturate(own))
}

/// A test of values of a type as a result: the mask of a vector of floats is as wide as what they are computed in, and is
/// brought to 32 bits.
fn as_mask(cx: &BlockWriter<'_>, test: Expr, own: CType, result: CType) -> Expr {
    if cx.function.floats.are_chosen && own.ty == Type::F32 && own.lanes > 1 { test.convert(result) } else { test }
}

/// The function that makes as many floats of 32 bits.
fn single(function: &str, ty: CType) -> String {
    format!("{function}float{}", digits(ty.lanes))
}

/// An operation on truth values, which are 0 or 1 as scalars, and all ones or none as masks; none where there is no such
/// operation.
fn logical(cx: &BlockWriter<'_>, op: BinaryOp, [a, b]: [ValueId; 2], result: CType) -> Option<Expr> {
    use BinaryOp::*;
    let (a, b) = (cx.operand(a, result), cx.operand(b, result));
    let not = |x: Expr| x.prefix(if result.lanes == 1 { "!" } else { "~" });
    Some(match op {
        And | Min => a.infix("&", b),
        Or | Max => a.infix("|", b),
        Xor | Ne | AbsDiff => a.infix("^", b),
        Eq => not(a.infix("^", b)),
        Lt => not(a).infix("&", b),
        Le => not(a).infix("|", b),
        Gt => a.infix("&", not(b)),
        Ge => a.infix("|", not(b)),
        Add(_) | Sub(_) | Mul(_) | Div | Rem | Shl(_) | Shr | RoundingShr | MulHigh | HalvingAdd
        | RoundingHalvingAdd => return None,
    })
}

/// The integer square root, computed in 32 bits.
fn isqrt(cx: &mut BlockWriter<'_>, x: Expr, own: CType) -> Expr {
    let wide = own.of(Type::U32);
    match own.lanes {
        _ if own.ty == Type::U32 => cx.prelude.call(Helper::Isqrt, wide, [x]),
        1 => cx.prelude.call(Helper::Isqrt, wide, [x.cast(wide)]),
        _ => cx.prelude.call(Helper::Isqrt, wide, [x.convert(wide)]).convert(own),
    }
}

/// A count of bits, found in the operand's type, as u32.
fn count(function: &'static str, x: Expr, own: CType, result: CType) -> Expr {
    let counted = Expr::call(function, [x]);
    match (bits(own.ty), own.lanes) {
        (32, _) if own.ty != Type::U32 => reinterpret(counted, result),
        (32, _) | (_, 1) => counted,
        (_, _) => counted.convert(result),
    }
}

/// The bits of a signed value as unsigned ones.
fn pattern(cx: &BlockWriter<'_>, id: ValueId, own: CType) -> Expr {
    let bits = own.unsigned();
    match cx.constant(id) {
        Some(constant @ Constant::Int(value)) if value >= 0 => Expr::constant(constant, bits.ty).cast(bits),
        _ => reinterpret(cx.operand(id, own), bits),
    }
}

/// A value of any integer type modulo 2^width, as a signed one: C leaves to its implementations what becomes of a value
/// that a signed type lacks, and says it of unsigned ones.
fn wrapped(x: Expr, to: CType) -> Expr {
    let bits = to.unsigned();
    if to.lanes > 1 { x.convert(bits).bits_as(to) } else { x.grouped().cast(bits).bits_as(to) }
}

/// The same bits as another type of the same width.
fn reinterpret(x: Expr, to: CType) -> Expr {
    if to.lanes > 1 || to.ty.is_signed() && bits(to.ty) >= 32 {
        x.bits_as(to)
    } else if to.ty.is_signed() {
        wrapped(x, to)
    } else {
        x.grouped().cast(to)
    }
}

#[cfg(test)]
mod tests {
    use windrow_dsl::ir::{BinaryOp, Op, Overflow, with_fault};
    use windrow_dsl::optimise::prepare;

    /// What is refused where each conjunction of a kernel is another operation, which no kernel's body has.
    fn refused(source: &str, instead: BinaryOp) -> Vec<String> {
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let mut prepared = prepare(kernel);
        for node in prepared.bodies.iter_mut().flat_map(|body| &mut body.nodes) {
            if let Op::Binary(op @ BinaryOp::And, ..) = &mut node.op {
                *op = instead;
            }
        }
        // Debug builds find the fault before a word is written.
        let (program, _) = with_fault(|| crate::opencl::emit(kernel, &prepared));
        let refused = program.accepted().err().unwrap_or_default();
        refused.into_iter().map(|diagnostic| diagnostic.message).collect()
    }

    #[test]
    fn operations_without_an_expression_are_refused() {
        let truths = "#[kernel] fn k(a: u8, b: u8) -> u8 { if (a < b) & (a.min(3) != 2) { a } else { 7 } }";
        let messages = refused(truths, BinaryOp::Rem);
        assert!(!messages.is_empty());
        assert!(
            messages.iter().all(|message| message == "OpenCL C has no expression for `Rem` of bool"),
            "{messages:?}"
        );
        assert_eq!(refused(truths, BinaryOp::Or), [""; 0]);
        let longs = "#[kernel] fn k(a: i64, b: i64) -> i64 { a & b }";
        let messages = refused(longs, BinaryOp::Mul(Overflow::Saturate));
        assert!(!messages.is_empty());
        let expected = "OpenCL C has no expression for `Mul(Saturate)` of i64";
        assert!(messages.iter().all(|message| message == expected), "{messages:?}");
    }
}
