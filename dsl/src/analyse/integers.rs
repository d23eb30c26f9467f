//! What each integer operation does to intervals.
//!
//! The results are exact integers: an operation that Rust checks may leave its type here, and
//! [`super::obligation`] refuses it. Every function is total; amounts and divisors outside what their operation
//! allows are left out, because the obligation on them stands elsewhere.

use crate::ir::Overflow::{self, Never, Saturate, Wrap};
use crate::ir::range::{Interval, limits};
use crate::ir::{BinaryOp, Comparison, Type, UnaryOp};

/// The interval of `op x`, exact for the operations that Rust checks.
pub(super) fn unary(op: UnaryOp, ty: Type, x: Interval) -> Interval {
    let limits = limits(ty).unwrap_or(x);
    let width = i128::from(ty.bits());
    match op {
        UnaryOp::Neg(overflow) => within(overflow, limits, negate(x)),
        UnaryOp::Abs(Wrap) => wrapping_magnitude(x, limits),
        UnaryOp::Abs(overflow) => within(overflow, limits, magnitude(x)),
        UnaryOp::UnsignedAbs => magnitude(x),
        UnaryOp::Not => Interval { lo: limits.lo + limits.hi - x.hi, hi: limits.lo + limits.hi - x.lo },
        UnaryOp::Signum => Interval { lo: x.lo.signum(), hi: x.hi.signum() },
        UnaryOp::Isqrt => Interval { lo: x.lo.max(0).isqrt(), hi: x.hi.max(0).isqrt() },
        UnaryOp::CountOnes => count_ones(x, width),
        UnaryOp::LeadingZeros => leading_zeros(x, width),
        UnaryOp::TrailingZeros => trailing_zeros(x, width),
        UnaryOp::Sqrt
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::RoundTiesEven
        | UnaryOp::IsNan
        | UnaryOp::FromBits
        | UnaryOp::ToBits
        | UnaryOp::FromHalf
        | UnaryOp::ToHalf => limits,
    }
}

/// The interval of `x op y` for operands of type `ty`, exact for the operations that Rust checks. `same`: both
/// operands are one value.
pub(super) fn binary(op: BinaryOp, ty: Type, x: Interval, y: Interval, same: bool) -> Interval {
    let limits = limits(ty).unwrap_or(x);
    let width = i128::from(ty.bits());
    match op {
        BinaryOp::Add(overflow) => within(overflow, limits, add(x, y)),
        BinaryOp::Sub(overflow) => within(overflow, limits, subtract(x, y, same)),
        BinaryOp::Mul(overflow) => within(overflow, limits, multiply(x, y, same)),
        BinaryOp::Div => divide(x, y),
        BinaryOp::Rem => remainder(x, y),
        BinaryOp::Shr => shift(x, y, width, |x, n| x >> n),
        BinaryOp::RoundingShr => shift(x, y, width, rounding_shift),
        BinaryOp::Shl(Wrap) => {
            let amount = if y.lo >= 0 && y.hi < width { y } else { Interval { lo: 0, hi: width - 1 } };
            wrap(shift(x, amount, width, |x, n| x << n), limits)
        }
        BinaryOp::Shl(overflow) => within(overflow, limits, shift(x, y, width, |x, n| x << n)),
        BinaryOp::And => and(x, y),
        BinaryOp::Or => or(x, y),
        BinaryOp::Xor if same => Interval::point(0),
        BinaryOp::Xor => xor(x, y),
        BinaryOp::Min => Interval { lo: x.lo.min(y.lo), hi: x.hi.min(y.hi) },
        BinaryOp::Max => Interval { lo: x.lo.max(y.lo), hi: x.hi.max(y.hi) },
        BinaryOp::AbsDiff => magnitude(subtract(x, y, same)),
        BinaryOp::HalvingAdd => shifted_right(add(x, y), 1),
        BinaryOp::RoundingHalvingAdd => shifted_right(add(add(x, y), Interval::point(1)), 1),
        BinaryOp::MulHigh => shifted_right(multiply(x, y, same), width as u32),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            Interval { lo: 0, hi: 1 }
        }
    }
}

/// Whether `x op y` can be false and can be true, for a comparison.
pub(super) fn compare(op: Comparison, x: Interval, y: Interval, same: bool) -> (bool, bool) {
    let y = if same { Interval::point(0) } else { y };
    let x = if same { y } else { x };
    let less = (x.hi >= y.lo, x.lo < y.hi);
    let greater = (x.lo <= y.hi, x.hi > y.lo);
    let equal = (x.single().is_none() || x != y, x.meet(y).is_some());
    let not = |(can_be_false, can_be_true): (bool, bool)| (can_be_true, can_be_false);
    match op {
        Comparison::Lt => less,
        Comparison::Ge => not(less),
        Comparison::Gt => greater,
        Comparison::Le => not(greater),
        Comparison::Eq => equal,
        Comparison::Ne => not(equal),
    }
}

/// The results of an operation whose exact ones these are.
fn within(overflow: Overflow, limits: Interval, exact: Interval) -> Interval {
    match overflow {
        Never => exact,
        Wrap => wrap(exact, limits),
        Saturate => saturate(exact, limits),
    }
}

/// Modulo the width of `limits`: exact where the whole interval wraps equally often, all of the type otherwise. An end that 128 bits
/// do not hold, of a product of two `u64`, has been cut and says nothing of the lower bits.
pub(super) fn wrap(x: Interval, limits: Interval) -> Interval {
    if [x.lo, x.hi].iter().any(|end| [i128::MIN, i128::MAX].contains(end)) {
        return limits;
    }
    let modulus = limits.hi - limits.lo + 1;
    let turns = |value: i128| (value - limits.lo).div_euclid(modulus);
    match turns(x.lo) {
        turn if turn == turns(x.hi) => Interval { lo: x.lo - turn * modulus, hi: x.hi - turn * modulus },
        _ => limits,
    }
}

/// The nearest values of `limits`.
pub(super) fn saturate(x: Interval, limits: Interval) -> Interval {
    Interval { lo: x.lo.clamp(limits.lo, limits.hi), hi: x.hi.clamp(limits.lo, limits.hi) }
}

pub(super) fn add(x: Interval, y: Interval) -> Interval {
    Interval { lo: x.lo.saturating_add(y.lo), hi: x.hi.saturating_add(y.hi) }
}

pub(super) fn negate(x: Interval) -> Interval {
    Interval { lo: x.hi.saturating_neg(), hi: x.lo.saturating_neg() }
}

pub(super) fn multiply(x: Interval, y: Interval, same: bool) -> Interval {
    if same {
        return power(x, 2);
    }
    let corner = i128::saturating_mul;
    if x.lo >= 0 && y.lo >= 0 {
        return Interval { lo: corner(x.lo, y.lo), hi: corner(x.hi, y.hi) };
    }
    Interval::of([corner(x.lo, y.lo), corner(x.lo, y.hi), corner(x.hi, y.lo), corner(x.hi, y.hi)])
}

/// `x` times itself `exponent` times; an even power is never negative.
pub(super) fn power(x: Interval, exponent: u32) -> Interval {
    if exponent == 1 {
        return x;
    }
    let ends = Interval::of([x.lo.saturating_pow(exponent), x.hi.saturating_pow(exponent)]);
    if exponent.is_multiple_of(2) && x.holds(0) { Interval { lo: 0, hi: ends.hi } } else { ends }
}

pub(super) fn magnitude(x: Interval) -> Interval {
    let ends = Interval::of([x.lo.saturating_abs(), x.hi.saturating_abs()]);
    if x.holds(0) { Interval { lo: 0, hi: ends.hi } } else { ends }
}

fn subtract(x: Interval, y: Interval, same: bool) -> Interval {
    if same { Interval::point(0) } else { add(x, negate(y)) }
}

fn wrapping_magnitude(x: Interval, limits: Interval) -> Interval {
    let least = Interval::point(limits.lo);
    match (x.holds(limits.lo) && limits.lo < 0, x.hi > limits.lo) {
        (false, _) => magnitude(x),
        (true, false) => least,
        (true, true) => least.hull(magnitude(Interval { lo: limits.lo + 1, hi: x.hi })),
    }
}

/// The parts of `divisor` below and above zero.
fn divisors(divisor: Interval) -> impl Iterator<Item = Interval> {
    let all = Interval { lo: i128::MIN, hi: i128::MAX };
    [Interval { hi: -1, ..all }, Interval { lo: 1, ..all }].into_iter().filter_map(move |half| half.meet(divisor))
}

/// Rust's division, towards zero; a divisor of zero is left out.
fn divide(x: Interval, y: Interval) -> Interval {
    divisors(y)
        .map(|y| Interval::of([x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi]))
        .reduce(Interval::hull)
        .unwrap_or(x)
}

/// Rust's remainder, with the sign of the dividend; a divisor of zero is left out.
fn remainder(x: Interval, y: Interval) -> Interval {
    let divisor = divisors(y).map(magnitude).reduce(Interval::hull).unwrap_or(Interval { lo: 1, hi: i128::MAX });
    if magnitude(x).hi < divisor.lo {
        return x;
    }
    let most = divisor.hi - 1;
    Interval { lo: x.lo.clamp(-most, 0), hi: x.hi.clamp(0, most) }
}

/// Shifts by each possible amount below `width`; every `shifted` is monotone in the value.
fn shift(x: Interval, amount: Interval, width: i128, shifted: impl Fn(i128, u32) -> i128) -> Interval {
    let amounts = amount.lo.clamp(0, width - 1)..=amount.hi.clamp(0, width - 1);
    Interval::of(amounts.flat_map(|n| [shifted(x.lo, n as u32), shifted(x.hi, n as u32)]))
}

fn rounding_shift(x: i128, n: u32) -> i128 {
    if n == 0 { x } else { (x + (1 << (n - 1))) >> n }
}

fn shifted_right(x: Interval, n: u32) -> Interval {
    Interval { lo: x.lo >> n, hi: x.hi >> n }
}

/// The least 2^k − 1 that is at least `value`, for `value` ≥ 0.
fn ones_above(value: i128) -> i128 {
    if value <= 0 { 0 } else { i128::MAX >> (value.leading_zeros() - 1) }
}

/// The interval −2^k ..= 2^k − 1 that holds both; bitwise operations don't leave it.
fn signed_ones(x: Interval, y: Interval) -> Interval {
    let most = [x, y].into_iter().flat_map(|i| [i.lo, i.hi]).map(|v| if v < 0 { -1 - v } else { v }).max();
    let ones = ones_above(most.unwrap_or(0));
    Interval { lo: -1 - ones, hi: ones }
}

fn and(x: Interval, y: Interval) -> Interval {
    match (x.lo >= 0, y.lo >= 0) {
        (true, true) => Interval { lo: 0, hi: x.hi.min(y.hi) },
        (true, false) => Interval { lo: 0, hi: x.hi },
        (false, true) => Interval { lo: 0, hi: y.hi },
        // Clearing bits of a negative number makes it less; of two signs, the one without can remain whole.
        (false, false) => Interval { lo: signed_ones(x, y).lo, hi: x.hi.max(y.hi) },
    }
}

fn or(x: Interval, y: Interval) -> Interval {
    let all = signed_ones(x, y);
    if x.lo >= 0 && y.lo >= 0 {
        return Interval { lo: x.lo.max(y.lo), hi: all.hi };
    }
    let hi = if x.hi < 0 || y.hi < 0 { -1 } else { all.hi };
    Interval { lo: x.lo.min(y.lo), hi }
}

fn xor(x: Interval, y: Interval) -> Interval {
    let all = signed_ones(x, y);
    if x.lo >= 0 && y.lo >= 0 { Interval { lo: 0, hi: all.hi } } else { all }
}

fn count_ones(x: Interval, width: i128) -> Interval {
    if x.lo < 0 {
        return Interval { lo: if x.hi < 0 { 1 } else { 0 }, hi: width };
    }
    match x.single() {
        Some(value) => Interval::point(value.count_ones().into()),
        None => Interval { lo: if x.lo > 0 { 1 } else { 0 }, hi: ones_above(x.hi).count_ones().into() },
    }
}

fn leading_zeros(x: Interval, width: i128) -> Interval {
    let zeros = |value: i128| if value < 0 { 0 } else { width - (128 - i128::from(value.leading_zeros())) };
    let zero = if x.holds(0) { width } else { 0 };
    Interval { lo: zeros(x.hi).min(zeros(x.lo)), hi: zeros(x.lo).max(zeros(x.hi)).max(zero) }
}

fn trailing_zeros(x: Interval, width: i128) -> Interval {
    match x.single() {
        Some(0) => Interval::point(width),
        Some(value) => Interval::point(value.trailing_zeros().into()),
        None => Interval { lo: 0, hi: if x.holds(0) { width } else { width - 1 } },
    }
}
