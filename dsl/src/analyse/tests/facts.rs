//! The order facts of each operation, held against arithmetic on all values of small intervals.

use super::random::Random;
use super::transfer::{as_interval, interval};
use crate::analyse::facts::{Sides, binary_facts, cast_facts, unary_facts};
use crate::analyse::polynomial::Polynomial;
use crate::arithmetic::{binary, cast, unary};
use crate::ir::Overflow::{Never, Saturate};
use crate::ir::*;

use BinaryOp::*;

const OPERATIONS: [BinaryOp; 16] = [
    Min,
    Max,
    AbsDiff,
    Add(Saturate),
    Sub(Saturate),
    And,
    Or,
    Xor,
    HalvingAdd,
    RoundingHalvingAdd,
    Rem,
    Div,
    Shr,
    RoundingShr,
    MulHigh,
    Mul(Saturate),
];

fn integer(value: Option<Constant>) -> Option<i128> {
    match value? {
        Constant::Int(value) => Some(value),
        other => panic!("{other:?}"),
    }
}

/// The value of a polynomial over the atoms 0, 1 and 2.
fn at(polynomial: &Polynomial, values: [i128; 3]) -> i128 {
    let term = |(monomial, coefficient): &(crate::analyse::monomial::Monomial, i128)| {
        monomial.atoms().fold(*coefficient, |product, atom| product * values[atom.0 as usize])
    };
    polynomial.terms().iter().map(term).sum()
}

#[test]
fn facts_of_binary_operations_hold() {
    let random = &mut Random::new(21);
    let [a, b, m] = [0, 1, 2].map(|id| Polynomial::atom(ValueId(id)));
    let mut used = vec![0; OPERATIONS.len()];
    for round in 0..500 {
        let ty = if round % 2 == 0 { Type::U8 } else { Type::I8 };
        let x = interval(random, ty);
        for (op, used) in OPERATIONS.into_iter().zip(&mut used) {
            let shifts = matches!(op, Shr | RoundingShr);
            let first = random.between(0, 7);
            let y = if shifts { (first, random.pick(&[first, 7])) } else { interval(random, ty) };
            let y = if !shifts && random.below(3) == 0 { (y.0, y.0) } else { y };
            let sides = Sides { m: &m, a: &a, b: &b, x: as_interval(x), y: as_interval(y) };
            let result = if op == AbsDiff { Type::U8 } else { ty };
            let facts = binary_facts(op, &sides, result.is_signed(), result.bits());
            *used += facts.len();
            for (p, q) in (x.0..=x.1).flat_map(|p| (y.0..=y.1).map(move |q| (p, q))) {
                let Some(value) = integer(binary(op, ty, Constant::Int(p), Constant::Int(q))) else { continue };
                for fact in &facts {
                    assert!(
                        at(fact, [p, q, value]) >= 0,
                        "{op:?} {ty:?} {x:?} {y:?}: {p}, {q} gives {value}: {fact:?}"
                    );
                }
            }
        }
    }
    for (op, used) in OPERATIONS.into_iter().zip(used) {
        assert!(used > 0 || op == Mul(Saturate), "{op:?} says nothing");
    }
}

#[test]
fn facts_of_unary_operations_and_casts_hold() {
    let random = &mut Random::new(22);
    let [x, m] = [0, 2].map(|id| Polynomial::atom(ValueId(id)));
    for round in 0..300 {
        let ty = [Type::U8, Type::I8, Type::U16, Type::I16][round % 4];
        let own = interval(random, ty);
        for op in [UnaryOp::Abs(Never), UnaryOp::UnsignedAbs, UnaryOp::Isqrt] {
            for value in own.0..=own.1.min(own.0 + 200) {
                let Some(result) = integer(unary(op, ty, Constant::Int(value))) else { continue };
                for fact in unary_facts(op, &m, &x) {
                    assert!(at(&fact, [value, 0, result]) >= 0, "{op:?} {ty:?} {value} gives {result}: {fact:?}");
                }
            }
        }
        for (mode, to) in
            [CastMode::Saturating, CastMode::Wrapping].into_iter().flat_map(|m| [(m, Type::U8), (m, Type::I8)])
        {
            let facts = cast_facts(mode, &m, &x, as_interval(own), as_interval(to.limits()));
            for value in own.0..=own.1.min(own.0 + 600) {
                let Some(result) = integer(cast(mode, to, Constant::Int(value))) else { continue };
                for fact in &facts {
                    assert!(at(fact, [value, 0, result]) >= 0, "{mode:?} {to:?} {value} gives {result}: {fact:?}");
                }
            }
        }
    }
}
