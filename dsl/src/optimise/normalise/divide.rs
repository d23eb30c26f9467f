//! Integer division by a divisor that is the same for all elements: a multiplication, and shifts.
//!
//! Granlund and Montgomery, "Division by invariant integers using multiplication", figures 4.1 and 5.2: for every N-bit
//! divisor there are an N-bit multiplier and shifts that give the quotient toward zero for every N-bit dividend. They
//! are worked out once for a run ([`crate::optimise::Derive`]) or, for a constant, here.

use crate::arithmetic::wrap;
use crate::ir::Overflow::Wrap;
use crate::ir::{BinaryOp, Type, ValueId};
use crate::optimise::Builder;

/// What a divisor becomes; each is a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    /// The multiplier, of the dividend's type.
    pub multiplier: i128,
    /// Unsigned: the first shift, 0 or 1. Signed: the sign of the divisor, 0 or −1.
    pub first: i128,
    /// The last shift.
    pub last: i128,
}

/// The multiplier and the shifts of a divisor of type `ty`; 0, which no proved division meets, counts as 1.
pub fn magic(ty: Type, divisor: i128) -> Magic {
    let width = ty.bits();
    let magnitude = divisor.unsigned_abs().max(1);
    let log = if magnitude == 1 { 0 } else { (magnitude - 1).ilog2() + 1 };
    if ty.is_signed() {
        let log = log.max(1);
        let multiplier = 1 + (1u128 << (width + log - 1)) / magnitude;
        Magic {
            multiplier: wrap((multiplier & ((1 << width) - 1)) as i128, ty),
            first: if divisor < 0 { -1 } else { 0 },
            last: i128::from(log) - 1,
        }
    } else {
        let multiplier = (((1u128 << log) - magnitude) << width) / magnitude + 1;
        Magic { multiplier: multiplier as i128, first: i128::from(log.min(1)), last: i128::from(log.saturating_sub(1)) }
    }
}

/// A divisor's [`Magic`] as values of a body.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The multiplier, of the dividend's type.
    pub multiplier: ValueId,
    /// Unsigned: the first shift (u32). Signed: the sign of the divisor, of the dividend's type.
    pub first: ValueId,
    /// The last shift (u32).
    pub last: ValueId,
}

/// `n / d`, toward zero, from the parts of d; `is_positive`: d is known to be.
pub fn quotient(builder: &mut Builder, n: ValueId, parts: Parts, is_positive: bool) -> ValueId {
    let ty = builder.node(n).ty;
    let high = builder.binary(BinaryOp::MulHigh, n, parts.multiplier);
    if !ty.is_signed() {
        let rest = builder.binary(BinaryOp::Sub(Wrap), n, high);
        let half = builder.binary(BinaryOp::Shr, rest, parts.first);
        let sum = builder.binary(BinaryOp::Add(Wrap), high, half);
        return builder.binary(BinaryOp::Shr, sum, parts.last);
    }
    let sum = builder.binary(BinaryOp::Add(Wrap), n, high);
    let shifted = builder.binary(BinaryOp::Shr, sum, parts.last);
    let top = builder.int(i128::from(ty.bits()) - 1, Type::U32);
    let sign = builder.binary(BinaryOp::Shr, n, top);
    let magnitude = builder.binary(BinaryOp::Sub(Wrap), shifted, sign);
    if is_positive {
        return magnitude;
    }
    let flipped = builder.binary(BinaryOp::Xor, magnitude, parts.first);
    builder.binary(BinaryOp::Sub(Wrap), flipped, parts.first)
}

/// `n / d` for a constant d, where n is known to lie in `lo..=hi`.
pub fn quotient_of_constant(builder: &mut Builder, n: ValueId, divisor: i128, (lo, hi): (i128, i128)) -> ValueId {
    let ty = builder.node(n).ty;
    let is_nonnegative = lo >= 0 && divisor > 0;
    if is_nonnegative && let Some((multiplier, shift)) = short_multiplier(ty, divisor, hi) {
        let multiplier = builder.int(multiplier, ty);
        let high = builder.binary(BinaryOp::MulHigh, n, multiplier);
        let shift = builder.int(shift, Type::U32);
        return builder.binary(BinaryOp::Shr, high, shift);
    }
    let magic = magic(ty, divisor);
    let first = if ty.is_signed() { ty } else { Type::U32 };
    let parts = Parts {
        multiplier: builder.int(magic.multiplier, ty),
        first: builder.int(magic.first, first),
        last: builder.int(magic.last, Type::U32),
    };
    quotient(builder, n, parts, divisor > 0)
}

/// The least shift s for which ⌈2^(N+s) / d⌉ is a multiplier of the type and exact for every dividend in `0..=hi`:
/// its error e = m·d − 2^(N+s) must satisfy e·hi < 2^(N+s), and stay below d.
pub(in crate::optimise) fn short_multiplier(ty: Type, divisor: i128, hi: i128) -> Option<(i128, i128)> {
    let width = ty.bits();
    let (greatest, divisor) = (ty.limits().1 as u128, divisor as u128);
    (0..width).find_map(|shift| {
        let power = 1u128 << (width + shift);
        let is_exact = |multiplier: &u128| {
            let error = multiplier * divisor - power;
            *multiplier <= greatest && error * (hi.max(1) as u128) < power
        };
        let least = power.div_ceil(divisor);
        // Some machines have the upper half of twice a product: for them, an even multiplier is worth more.
        let even = [least + least % 2, least].into_iter().find(is_exact)?;
        Some((even as i128, i128::from(shift)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The recipe in plain integers.
    fn divide(ty: Type, n: i128, magic: Magic) -> i128 {
        let width = ty.bits();
        let high = (n * magic.multiplier) >> width;
        if !ty.is_signed() {
            return (high + ((n - high) >> magic.first)) >> magic.last;
        }
        let magnitude = (wrap(n + high, ty) >> magic.last) - (n >> (width - 1));
        wrap((magnitude ^ magic.first) - magic.first, ty)
    }

    #[test]
    fn every_8_bit_quotient_is_exact() {
        for ty in [Type::U8, Type::I8] {
            let (lo, hi) = ty.limits();
            for d in (lo..=hi).filter(|&d| d != 0) {
                for n in lo..=hi {
                    assert_eq!(divide(ty, n, magic(ty, d)), wrap(n / d, ty), "{ty:?} {n} / {d}");
                }
            }
        }
    }

    #[test]
    fn wide_quotients_are_exact_at_multiples_and_beside_them() {
        for ty in [Type::U16, Type::I16, Type::U32, Type::I32] {
            let (lo, hi) = ty.limits();
            let divisors = [1, 2, 3, 5, 7, 9, 10, 127, 255, 256, 257, 641, 32767, 32768, 65535, 65537, hi - 1, hi];
            for d in divisors.into_iter().flat_map(|d| [d, -d, lo]).filter(|&d| d != 0 && (lo..=hi).contains(&d)) {
                for k in 0..2000 {
                    for n in [k * d - 1, k * d, k * d + 1, hi - k, lo + k] {
                        let n = wrap(n, ty);
                        assert_eq!(divide(ty, n, magic(ty, d)), wrap(n / d, ty), "{ty:?} {n} / {d}");
                    }
                }
            }
        }
    }

    #[test]
    fn short_multipliers_are_exact_over_16_bits() {
        for d in [3, 5, 7, 9, 25, 49, 255, 256, 257, 1000, 40000] {
            for hi in [255, 2295, 65152, 65535] {
                let Some((multiplier, shift)) = short_multiplier(Type::U16, d, hi) else { continue };
                for n in 0..=hi {
                    assert_eq!((n * multiplier) >> (16 + shift), n / d, "{n} / {d}");
                }
            }
        }
    }

    #[test]
    fn zero_counts_as_one() {
        assert_eq!(divide(Type::U16, 1234, magic(Type::U16, 0)), 1234);
        assert_eq!(divide(Type::I32, -7, magic(Type::I32, 0)), -7);
    }
}
