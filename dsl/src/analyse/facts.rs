//! What operations say about the order of their result and their operands: polynomials that are ≥ 0.
//!
//! One row an operation; [`super::order_facts`] takes them away from the polynomials that it bounds. A row may depend on the
//! operands' intervals, and holds for every value within them.

use super::polynomial::Polynomial;
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::range::Interval;
use crate::ir::{BinaryOp, CastMode, UnaryOp};

/// A binary operation: its result, its operands as polynomials and as intervals.
pub(super) struct Sides<'a> {
    pub(super) m: &'a Polynomial,
    pub(super) a: &'a Polynomial,
    pub(super) b: &'a Polynomial,
    pub(super) x: Interval,
    pub(super) y: Interval,
}

/// Σ factor · polynomial + constant; nothing where it grows too large.
fn sum(parts: &[(&Polynomial, i128)], constant: i128) -> Option<Polynomial> {
    parts.iter().try_fold(Polynomial::constant(constant), |sum, (part, factor)| sum.add_scaled(part, *factor))
}

/// What `m = op x` says.
pub(super) fn unary_facts(op: UnaryOp, m: &Polynomial, x: &Polynomial) -> Vec<Polynomial> {
    let facts = match op {
        // m ≥ x, m ≥ −x
        UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs => [sum(&[(m, 1), (x, -1)], 0), sum(&[(m, 1), (x, 1)], 0)],
        // m² ≤ x ≤ m² + 2m, m ≤ x
        UnaryOp::Isqrt => {
            let Some(square) = m.mul(m) else { return Vec::new() };
            let facts = [
                sum(&[(x, 1), (&square, -1)], 0),
                sum(&[(&square, 1), (m, 2), (x, -1)], 0),
                sum(&[(x, 1), (m, -1)], 0),
            ];
            return facts.into_iter().flatten().collect();
        }
        _ => [None, None],
    };
    facts.into_iter().flatten().collect()
}

/// What a cast of `x`, which lies in `range`, to a type with `limits` says.
pub(super) fn cast_facts(
    mode: CastMode,
    m: &Polynomial,
    x: &Polynomial,
    range: Interval,
    limits: Interval,
) -> Vec<Polynomial> {
    let below = || sum(&[(x, 1), (m, -1)], 0);
    let above = || sum(&[(m, 1), (x, -1)], 0);
    let facts = match mode {
        CastMode::Value => [None, None],
        CastMode::Saturating => {
            [(range.lo >= limits.lo).then(below).flatten(), (range.hi <= limits.hi).then(above).flatten()]
        }
        CastMode::Wrapping => [(range.lo >= 0).then(below).flatten(), None],
    };
    facts.into_iter().flatten().collect()
}

/// What `m = a op b` says, for a result with or without a sign and of a width.
pub(super) fn binary_facts(op: BinaryOp, sides: &Sides<'_>, signed: bool, width: u32) -> Vec<Polynomial> {
    let Sides { m, a, b, x, y } = *sides;
    let (nonnegative, positive) = (x.lo >= 0, y.lo >= 1);
    let both = nonnegative && y.lo >= 0;
    let when = |holds: bool, fact: &[(&Polynomial, i128)], constant: i128| {
        if holds { sum(fact, constant) } else { None }
    };
    let facts: [Option<Polynomial>; 4] = match op {
        BinaryOp::Min => [when(true, &[(b, 1), (m, -1)], 0), when(true, &[(a, 1), (m, -1)], 0), None, None],
        BinaryOp::Max => [when(true, &[(m, 1), (b, -1)], 0), when(true, &[(m, 1), (a, -1)], 0), None, None],
        BinaryOp::AbsDiff => [
            when(true, &[(m, 1), (a, -1), (b, 1)], 0),
            when(true, &[(m, 1), (a, 1), (b, -1)], 0),
            when(both, &[(a, 1), (b, 1), (m, -1)], 0),
            None,
        ],
        // Where the sum can only be cut above (below), it is at most (at least) the exact one.
        BinaryOp::Add(Saturate) => [
            when(y.lo >= 0, &[(m, 1), (a, -1)], 0),
            when(x.lo >= 0, &[(m, 1), (b, -1)], 0),
            when(!signed || x.lo >= 0 || y.lo >= 0, &[(a, 1), (b, 1), (m, -1)], 0),
            when(x.hi <= 0 || y.hi <= 0, &[(m, 1), (a, -1), (b, -1)], 0),
        ],
        BinaryOp::Sub(Saturate) => [
            when(y.lo >= 0, &[(a, 1), (m, -1)], 0),
            when(!signed || y.lo >= 0, &[(m, 1), (a, -1), (b, 1)], 0),
            when(y.hi <= 0, &[(m, 1), (a, -1)], 0),
            when(y.hi <= 0, &[(a, 1), (b, -1), (m, -1)], 0),
        ],
        BinaryOp::And => [when(nonnegative, &[(a, 1), (m, -1)], 0), when(y.lo >= 0, &[(b, 1), (m, -1)], 0), None, None],
        BinaryOp::Or => [
            when(both, &[(m, 1), (a, -1)], 0),
            when(both, &[(m, 1), (b, -1)], 0),
            when(both, &[(a, 1), (b, 1), (m, -1)], 0),
            None,
        ],
        BinaryOp::Xor => [when(both, &[(a, 1), (b, 1), (m, -1)], 0), None, None, None],
        BinaryOp::HalvingAdd => {
            [when(true, &[(a, 1), (b, 1), (m, -2)], 0), when(true, &[(m, 2), (a, -1), (b, -1)], 1), None, None]
        }
        BinaryOp::RoundingHalvingAdd => {
            [when(true, &[(a, 1), (b, 1), (m, -2)], 1), when(true, &[(m, 2), (a, -1), (b, -1)], 0), None, None]
        }
        BinaryOp::Rem => [when(nonnegative, &[(a, 1), (m, -1)], 0), when(positive, &[(b, 1), (m, -1)], -1), None, None],
        BinaryOp::Div => match y.single() {
            Some(d) if d > 0 => {
                // d·m lies within d − 1 of a, and below it where a ≥ 0.
                let slack = if nonnegative { 0 } else { d - 1 };
                [when(true, &[(a, 1), (m, -d)], slack), when(true, &[(m, d), (a, -1)], d - 1), None, None]
            }
            _ => [
                when(nonnegative && positive, &[(a, 1), (m, -1)], 0),
                b.mul(m).filter(|_| nonnegative && positive).and_then(|product| sum(&[(a, 1), (&product, -1)], 0)),
                None,
                None,
            ],
        },
        BinaryOp::Shr => match y.single().filter(|n| (0..32).contains(n)) {
            Some(n) => [
                when(true, &[(a, 1), (m, -(1 << n))], 0),
                when(true, &[(m, 1 << n), (a, -1)], (1 << n) - 1),
                None,
                None,
            ],
            None => [when(nonnegative, &[(a, 1), (m, -1)], 0), None, None, None],
        },
        BinaryOp::RoundingShr => match y.single().filter(|n| (1..32).contains(n)) {
            Some(n) => {
                let (unit, half) = (1 << n, 1 << (n - 1));
                [when(true, &[(a, 1), (m, -unit)], half), when(true, &[(m, unit), (a, -1)], half - 1), None, None]
            }
            None => [when(nonnegative, &[(a, 1), (m, -1)], 0), None, None, None],
        },
        BinaryOp::MulHigh => {
            let Some(product) = a.mul(b) else { return Vec::new() };
            let unit = 1 << width;
            [
                when(true, &[(&product, 1), (m, -unit)], 0),
                when(true, &[(m, unit), (&product, -1)], unit - 1),
                None,
                None,
            ]
        }
        BinaryOp::Add(Never | Wrap)
        | BinaryOp::Sub(Never | Wrap)
        | BinaryOp::Mul(_)
        | BinaryOp::Shl(_)
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => [None, None, None, None],
    };
    facts.into_iter().flatten().collect()
}
