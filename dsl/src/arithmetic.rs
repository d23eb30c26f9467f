//! What each operation gives on constants: Rust's own arithmetic, exactly, for every type of the language.
//!
//! Constant folding in `crate::lower` and the interpreter of [`crate::interpret`] call it. `None` means that Rust would
//! panic; nothing here does.

use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::{BinaryOp, CastMode, Constant, Overflow, Type, UnaryOp};
use windrow_reference::scalar;

/// Whether an integer is a value of a type.
pub fn fits(value: i128, ty: Type) -> bool {
    let (lo, hi) = ty.limits();
    (lo..=hi).contains(&value)
}

/// The value modulo 2^width, in the range of the type.
pub fn wrap(value: i128, ty: Type) -> i128 {
    let width = ty.bits();
    let low = value & ((1i128 << width) - 1);
    if ty.is_signed() && low >> (width - 1) != 0 { low - (1i128 << width) } else { low }
}

/// The nearest value of the type.
pub fn saturate(value: i128, ty: Type) -> i128 {
    let (lo, hi) = ty.limits();
    value.clamp(lo, hi)
}

/// What an operation gives whose exact result is `exact`; none where it must not overflow, and does.
fn within(overflow: Overflow, ty: Type, exact: i128) -> Option<i128> {
    let (lo, hi) = ty.limits();
    let nearest = exact.clamp(lo, hi);
    match overflow {
        Never => (nearest == exact).then_some(nearest),
        Wrap => Some(wrap(exact, ty)),
        Saturate => Some(nearest),
    }
}

/// `op` on a value of type `ty`.
pub fn unary(op: UnaryOp, ty: Type, value: Constant) -> Option<Constant> {
    match value {
        Constant::Bool(b) => match op {
            UnaryOp::Not => Some(Constant::Bool(!b)),
            _ => None,
        },
        Constant::Int(i) => unary_int(op, ty, i).map(Constant::Int).or_else(|| unary_to_other(op, i)),
        Constant::Float(bits) => sign_or_bits(op, bits).or_else(|| unary_float(op, ty, value.as_float()?)),
        Constant::Double(_) => unary_float(op, ty, value.as_float()?),
    }
}

fn unary_to_other(op: UnaryOp, value: i128) -> Option<Constant> {
    match op {
        UnaryOp::FromBits => Some(Constant::Float(value as u32)),
        UnaryOp::FromHalf => Some(Constant::Float(scalar::from_half(value as u32).to_bits())),
        _ => None,
    }
}

fn unary_int(op: UnaryOp, ty: Type, i: i128) -> Option<i128> {
    let pattern = (i & ((1i128 << ty.bits()) - 1)) as u64;
    match op {
        UnaryOp::Neg(overflow) => within(overflow, ty, -i),
        UnaryOp::Abs(overflow) => within(overflow, ty, i.abs()),
        UnaryOp::Not => Some(wrap(!i, ty)),
        UnaryOp::UnsignedAbs => Some(i.abs()),
        UnaryOp::Signum => Some(i.signum()),
        UnaryOp::Isqrt => (i >= 0).then(|| i.isqrt()),
        UnaryOp::CountOnes => Some(pattern.count_ones().into()),
        UnaryOp::LeadingZeros => Some((pattern.leading_zeros() - (64 - ty.bits())).into()),
        UnaryOp::TrailingZeros => Some(pattern.trailing_zeros().min(ty.bits()).into()),
        UnaryOp::Sqrt
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundTiesEven
        | UnaryOp::IsNan
        | UnaryOp::FromBits
        | UnaryOp::ToBits
        | UnaryOp::FromHalf
        | UnaryOp::ToHalf => None,
    }
}

/// What is done to the bits of an `f32`, those of a signalling NaN too.
fn sign_or_bits(op: UnaryOp, bits: u32) -> Option<Constant> {
    match op {
        UnaryOp::Neg(Never) => Some(Constant::Float(bits ^ 1 << 31)),
        UnaryOp::Abs(Never) => Some(Constant::Float(bits & !(1 << 31))),
        UnaryOp::ToBits => Some(Constant::Int(bits.into())),
        _ => None,
    }
}

/// In binary64, and rounded to the type: rounding a sum, product, quotient or root of binary32 twice is rounding it once.
fn unary_float(op: UnaryOp, ty: Type, x: f64) -> Option<Constant> {
    let float = |value: f64| Some(Constant::of_float(value, ty));
    match op {
        UnaryOp::Neg(Never) => float(-x),
        UnaryOp::Abs(Never) => float(x.abs()),
        UnaryOp::Sqrt => float(x.sqrt()),
        UnaryOp::Floor => float(x.floor()),
        UnaryOp::Ceil => float(x.ceil()),
        UnaryOp::Trunc => float(x.trunc()),
        UnaryOp::RoundTiesEven => float(x.round_ties_even()),
        UnaryOp::IsNan => Some(Constant::Bool(x.is_nan())),
        UnaryOp::ToHalf => Some(Constant::Int(scalar::to_half(x as f32).into())),
        UnaryOp::Not
        | UnaryOp::UnsignedAbs
        | UnaryOp::Neg(Wrap | Saturate)
        | UnaryOp::Abs(Wrap | Saturate)
        | UnaryOp::Signum
        | UnaryOp::Isqrt
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::ToBits
        | UnaryOp::FromBits
        | UnaryOp::FromHalf => None,
    }
}

/// `op` on two values of type `ty` (the right operand of a shift is u32).
pub fn binary(op: BinaryOp, ty: Type, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Bool(a), Constant::Bool(b)) => binary_bool(op, a, b).map(Constant::Bool),
        (Constant::Int(a), Constant::Int(b)) => match compare(op, a.cmp(&b)) {
            Some(truth) => Some(Constant::Bool(truth)),
            None => binary_int(op, ty, a, b).map(Constant::Int),
        },
        (Constant::Bool(_) | Constant::Int(_), _) => None,
        (Constant::Float(_) | Constant::Double(_), _) => binary_float(op, ty, left.as_float()?, right.as_float()?),
    }
}

/// What a comparison says of operands in this order; `None`: `op` is not a comparison.
fn compare(op: BinaryOp, order: std::cmp::Ordering) -> Option<bool> {
    match op {
        BinaryOp::Eq => Some(order.is_eq()),
        BinaryOp::Ne => Some(order.is_ne()),
        BinaryOp::Lt => Some(order.is_lt()),
        BinaryOp::Le => Some(order.is_le()),
        BinaryOp::Gt => Some(order.is_gt()),
        BinaryOp::Ge => Some(order.is_ge()),
        _ => None,
    }
}

fn binary_bool(op: BinaryOp, a: bool, b: bool) -> Option<bool> {
    match op {
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        _ => compare(op, a.cmp(&b)),
    }
}

fn binary_int(op: BinaryOp, ty: Type, a: i128, b: i128) -> Option<i128> {
    let checked = |value: i128| fits(value, ty).then_some(value);
    let width = i128::from(ty.bits());
    let amount = |b: i128| (0..width).contains(&b);
    match op {
        BinaryOp::Add(overflow) => within(overflow, ty, a + b),
        BinaryOp::Sub(overflow) => within(overflow, ty, a - b),
        BinaryOp::Mul(overflow) => product(overflow, ty, a, b),
        BinaryOp::Shl(Wrap) => within(Wrap, ty, a << (b & (width - 1))),
        BinaryOp::Shl(overflow) => amount(b).then(|| a << b).and_then(|exact| within(overflow, ty, exact)),
        BinaryOp::Div => a.checked_div(b).and_then(checked),
        BinaryOp::Rem => a.checked_div(b).and_then(checked).map(|_| a % b),
        BinaryOp::Shr => amount(b).then(|| a >> b),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        BinaryOp::Min => Some(a.min(b)),
        BinaryOp::Max => Some(a.max(b)),
        BinaryOp::AbsDiff => Some((a - b).abs()),
        BinaryOp::HalvingAdd => Some((a + b) >> 1),
        BinaryOp::RoundingHalvingAdd => Some((a + b + 1) >> 1),
        BinaryOp::MulHigh => Some(product_high(a, b, width)),
        BinaryOp::RoundingShr => match b {
            0 => Some(a),
            _ => amount(b).then(|| (a + (1 << (b - 1))) >> b),
        },
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => None,
    }
}

/// What a product gives; that of two values of 64 bits may leave 128.
fn product(overflow: Overflow, ty: Type, a: i128, b: i128) -> Option<i128> {
    match (a.checked_mul(b), overflow) {
        (Some(exact), _) => within(overflow, ty, exact),
        (None, Never) => None,
        (None, Wrap) => Some(wrap(a.wrapping_mul(b), ty)),
        (None, Saturate) => Some(ty.limits().1),
    }
}

/// The upper half of a product of two values of `width` bits.
fn product_high(a: i128, b: i128, width: i128) -> i128 {
    match a.checked_mul(b) {
        Some(product) => product >> width,
        // Both are unsigned and of 64 bits.
        None => (a.unsigned_abs().wrapping_mul(b.unsigned_abs()) >> width) as i128,
    }
}

fn binary_float(op: BinaryOp, ty: Type, a: f64, b: f64) -> Option<Constant> {
    let float = |value: f64| Some(Constant::of_float(value, ty));
    let truth = |value: bool| Some(Constant::Bool(value));
    match op {
        BinaryOp::Add(Never) => float(a + b),
        BinaryOp::Sub(Never) => float(a - b),
        BinaryOp::Mul(Never) => float(a * b),
        BinaryOp::Div => float(a / b),
        BinaryOp::Min => float(minimum_number(a, b)),
        BinaryOp::Max => float(-minimum_number(-a, -b)),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::Ge => truth(a >= b),
        BinaryOp::Rem
        | BinaryOp::Shl(_)
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::AbsDiff
        | BinaryOp::Add(Wrap | Saturate)
        | BinaryOp::Sub(Wrap | Saturate)
        | BinaryOp::Mul(Wrap | Saturate)
        | BinaryOp::HalvingAdd
        | BinaryOp::RoundingHalvingAdd
        | BinaryOp::MulHigh
        | BinaryOp::RoundingShr => None,
    }
}

/// IEEE 754-2019 minimumNumber: a NaN is ignored, −0 is below +0.
fn minimum_number(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => f64::NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) if a < b || (a == b && a.is_sign_negative()) => a,
        (false, false) => b,
    }
}

/// `a.mul_add(b, c)`, with one rounding.
pub fn mul_add(a: Constant, b: Constant, c: Constant) -> Option<Constant> {
    match (a, b, c) {
        (Constant::Float(a), Constant::Float(b), Constant::Float(c)) => {
            let [a, b, c] = [a, b, c].map(f32::from_bits);
            Some(Constant::Float(a.mul_add(b, c).to_bits()))
        }
        (Constant::Double(a), Constant::Double(b), Constant::Double(c)) => {
            let [a, b, c] = [a, b, c].map(f64::from_bits);
            Some(Constant::Double(a.mul_add(b, c).to_bits()))
        }
        _ => None,
    }
}

/// A conversion to `to`; `None` where `as` between integers would change the value.
pub fn cast(mode: CastMode, to: Type, value: Constant) -> Option<Constant> {
    let integer = match value {
        Constant::Bool(b) => b.into(),
        Constant::Int(i) => i,
        Constant::Float(_) if to == Type::F32 => return Some(value),
        Constant::Float(_) | Constant::Double(_) if to.is_float() => {
            return Some(Constant::of_float(value.as_float()?, to));
        }
        Constant::Float(_) | Constant::Double(_) => saturate(value.as_float()? as i128, to),
    };
    match (to, mode) {
        (Type::F32, _) => Some(Constant::Float((integer as f32).to_bits())),
        (Type::F64, _) => Some(Constant::Double((integer as f64).to_bits())),
        (Type::BOOL, _) => matches!(value, Constant::Bool(_)).then_some(value),
        (_, CastMode::Value) => fits(integer, to).then_some(Constant::Int(integer)),
        (_, CastMode::Wrapping) => Some(Constant::Int(wrap(integer, to))),
        (_, CastMode::Saturating) => Some(Constant::Int(saturate(integer, to))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, ty: Type, a: i128, b: i128) -> Option<i128> {
        binary_int(op, ty, a, b)
    }

    #[test]
    fn eight_bit_arithmetic_is_rusts() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (x, y) = (a as i128, b as i128);
                let same = |op, expected: Option<i8>| {
                    assert_eq!(int(op, Type::I8, x, y), expected.map(i128::from), "{op:?} {a} {b}")
                };
                same(BinaryOp::Add(Never), a.checked_add(b));
                same(BinaryOp::Sub(Never), a.checked_sub(b));
                same(BinaryOp::Mul(Never), a.checked_mul(b));
                same(BinaryOp::Div, a.checked_div(b));
                same(BinaryOp::Rem, a.checked_rem(b));
                same(BinaryOp::Mul(Wrap), Some(a.wrapping_mul(b)));
                same(BinaryOp::Mul(Saturate), Some(a.saturating_mul(b)));
                same(BinaryOp::Sub(Saturate), Some(a.saturating_sub(b)));
                same(BinaryOp::And, Some(a & b));
                same(BinaryOp::HalvingAdd, Some(((a as i16 + b as i16) >> 1) as i8));
                same(BinaryOp::MulHigh, Some(((a as i16 * b as i16) >> 8) as i8));
                assert_eq!(int(BinaryOp::AbsDiff, Type::I8, x, y), Some(a.abs_diff(b) as i128));
            }
        }
    }

    #[test]
    fn bit_counts_know_the_width() {
        for a in i16::MIN..=i16::MAX {
            let value = a as i128;
            assert_eq!(unary_int(UnaryOp::LeadingZeros, Type::I16, value), Some(a.leading_zeros() as i128));
            assert_eq!(unary_int(UnaryOp::TrailingZeros, Type::I16, value), Some(a.trailing_zeros() as i128));
            assert_eq!(unary_int(UnaryOp::CountOnes, Type::I16, value), Some(a.count_ones() as i128));
            assert_eq!(unary_int(UnaryOp::Not, Type::I16, value), Some(!a as i128));
            assert_eq!(unary_int(UnaryOp::Neg(Wrap), Type::I16, value), Some(a.wrapping_neg() as i128));
        }
    }

    #[test]
    fn unsigned_32_bit_products_do_not_wrap_unseen() {
        let max = u32::MAX as i128;
        assert_eq!(int(BinaryOp::Mul(Never), Type::U32, max, max), None);
        assert_eq!(int(BinaryOp::MulHigh, Type::U32, max, max), Some(max - 1));
        assert_eq!(int(BinaryOp::Mul(Wrap), Type::U32, max, max), Some(1));
        assert_eq!(int(BinaryOp::Mul(Saturate), Type::U32, max, max), Some(max));
    }

    #[test]
    fn minimum_ignores_nan_and_orders_zeros() {
        assert_eq!(minimum_number(f64::NAN, 1.0), 1.0);
        assert_eq!(minimum_number(1.0, f64::NAN), 1.0);
        assert!(minimum_number(0.0, -0.0).is_sign_negative());
        assert!(minimum_number(-0.0, 0.0).is_sign_negative());
    }

    #[test]
    fn float_to_integer_saturates() {
        let of = |x: f32| cast(CastMode::Value, Type::U8, Constant::Float(x.to_bits()));
        assert_eq!(of(300.0), Some(Constant::Int(255)));
        assert_eq!(of(-1.0), Some(Constant::Int(0)));
        assert_eq!(of(f32::NAN), Some(Constant::Int(0)));
        assert_eq!(of(1.9), Some(Constant::Int(1)));
    }
}
