//! Sums of products that one instruction computes two at a time, at the edges of what its lanes hold.

use crate::make::{Make, Subject};
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::*;

/// Coefficients of a sum of bytes; those of the second line leave 16 bits with any partner.
const COEFFICIENTS: &[&[i128]] = &[
    &[1, 1],
    &[1, 2, 1],
    &[127, 1],
    &[100, 28],
    &[64, 64],
    &[-64, -64],
    &[-128, 127],
    &[-127, -1],
    &[1, 4, 6, 4, 1],
    &[2, -2, 1, -1],
    &[54, 183, 19],
    &[127, 2],
    &[-128, -1],
    &[128, 128],
];

/// Every sum of bytes times constants, for all pairs of bytes.
pub fn of_bytes() -> Vec<Subject> {
    let mut all = Vec::new();
    for ty in [Type::U16, Type::I16] {
        for coefficients in COEFFICIENTS {
            let mut m = Make::new();
            let inputs = [m.input(Type::U8), m.input(Type::U8)];
            let mut sum = None;
            for (place, &coefficient) in coefficients.iter().enumerate() {
                let wide = m.cast(CastMode::Value, ty, inputs[place % 2]);
                let factor = m.constant(ty, coefficient.abs());
                let term = if coefficient.abs() == 1 { wide } else { m.binary(BinaryOp::Mul(Wrap), wide, factor) };
                sum = Some(match (sum, coefficient < 0) {
                    (None, false) => term,
                    (None, true) => {
                        let zero = m.constant(ty, 0);
                        m.binary(BinaryOp::Sub(Wrap), zero, term)
                    }
                    (Some(sum), false) => m.binary(BinaryOp::Add(Wrap), sum, term),
                    (Some(sum), true) => m.binary(BinaryOp::Sub(Wrap), sum, term),
                });
            }
            all.push(Subject { pairs: true, ..m.finish(format!("{coefficients:?} in {ty:?}"), sum.unwrap()) });
        }
    }
    all
}

/// Sums with a multiplied sum of two bytes in them, for all pairs of bytes.
pub fn of_multiplied_sums() -> Vec<Subject> {
    let mut all = Vec::new();
    for (ty, factor) in
        [(Type::U16, 4), (Type::I16, 4), (Type::I16, -3), (Type::I16, 64), (Type::U16, 127), (Type::I16, -128)]
    {
        for inner in [BinaryOp::Add(Wrap), BinaryOp::Sub(Wrap)] {
            for (outer, alone) in [(BinaryOp::Add(Wrap), 0), (BinaryOp::Sub(Wrap), 6), (BinaryOp::Add(Wrap), 1)] {
                let mut m = Make::new();
                let inputs = [m.input(Type::U8), m.input(Type::U8)];
                let [a, b] = inputs.map(|input| m.cast(CastMode::Value, ty, input));
                let sum = m.binary(inner, a, b);
                let factor_value = m.constant(ty, factor);
                let multiplied = m.binary(BinaryOp::Mul(Wrap), sum, factor_value);
                let (other, weight) = (m.cast(CastMode::Value, ty, inputs[1]), m.constant(ty, alone));
                let other = if alone == 1 { other } else { m.binary(BinaryOp::Mul(Wrap), other, weight) };
                let sum = m.binary(outer, other, multiplied);
                let name = format!("{alone} {outer:?} {factor} of {inner:?} in {ty:?}");
                all.push(Subject { pairs: true, ..m.finish(name, sum) });
            }
        }
    }
    all
}

/// Sums of products of values of 16 bits, some by words; `minus` subtracts the second.
pub fn of_words() -> Vec<Subject> {
    let mut all = Vec::new();
    for from in [Type::U8, Type::I8, Type::I16, Type::U16] {
        for words in [0, 1, 2] {
            for (count, minus) in [(1, false), (2, false), (2, true), (3, false), (4, true)] {
                let mut m = Make::new();
                let inputs: Vec<ValueId> = (0..3).map(|_| m.input(from)).collect();
                let uniforms: Vec<ValueId> =
                    (0..words).map(|place| m.uniform(Type::I16, [-32768, 32767][place])).collect();
                let mut sum = None;
                for term in 0..count {
                    let x = m.cast(CastMode::Value, Type::I32, inputs[term % 3]);
                    // a·b, b·c, c·a, and a·a: none is another's.
                    let other = uniforms.get(term % 2).copied().unwrap_or(inputs[(term + 1 + term / 3 * 2) % 3]);
                    let y = m.cast(CastMode::Value, Type::I32, other);
                    let product = m.binary(BinaryOp::Mul(Wrap), x, y);
                    let op = if minus && term % 2 == 1 { BinaryOp::Sub(Wrap) } else { BinaryOp::Add(Wrap) };
                    sum = Some(sum.map_or(product, |sum| m.binary(op, sum, product)));
                }
                let name = format!("{count} products of {from:?}, {words} words, minus {minus}");
                all.push(m.finish(name, sum.unwrap()));
            }
        }
    }
    all
}

/// Sums of products of 16 bits that are widened, at the edges of these; some of them beside products of 32 bits.
pub fn of_widened_products() -> Vec<Subject> {
    let mut all = Vec::new();
    // What is multiplied, and how many bits of it are shifted out before.
    for (from, shift, half, whole) in [
        (Type::U8, 0, Type::U16, Type::I32),
        (Type::U8, 0, Type::U16, Type::U32),
        (Type::I8, 0, Type::I16, Type::I32),
        (Type::U16, 8, Type::U16, Type::U32),
        (Type::I16, 8, Type::I16, Type::I32),
        (Type::U16, 15, Type::U16, Type::I32),
    ] {
        for (count, minus, others) in [
            (1, false, 0),
            (2, false, 0),
            (2, true, 0),
            (3, false, 0),
            (3, true, 1),
            (4, true, 0),
            (5, false, 1),
            (2, false, 2),
        ] {
            let mut m = Make::new();
            let inputs: Vec<ValueId> = (0..3).map(|_| m.input(from)).collect();
            let amount = m.constant(Type::U32, shift);
            let factor = |m: &mut Make, place: usize, to: Type| {
                let input = inputs[place % 3];
                let value = if shift > 0 { m.binary(BinaryOp::Shr, input, amount) } else { input };
                if from == to { value } else { m.cast(CastMode::Value, to, value) }
            };
            let mut sum = None;
            for term in 0..count + others {
                // None is another's.
                let (x, y) = [(0, 0), (1, 2), (2, 0), (0, 1), (1, 1)][term % 5];
                let product = if term < count {
                    let (x, y) = (factor(&mut m, x, half), factor(&mut m, y, half));
                    let product = m.binary(BinaryOp::Mul(Never), x, y);
                    m.cast(CastMode::Value, whole, product)
                } else {
                    let (x, y) = (factor(&mut m, x, half), factor(&mut m, y, half));
                    let [x, y] = [x, y].map(|half| m.cast(CastMode::Value, whole, half));
                    m.binary(BinaryOp::Mul(Wrap), x, y)
                };
                let op = if minus && term % 2 == 1 { BinaryOp::Sub(Wrap) } else { BinaryOp::Add(Wrap) };
                sum = Some(sum.map_or(product, |sum| m.binary(op, sum, product)));
            }
            let name = format!("{count} products of {from:?} >> {shift} in {whole:?}, minus {minus}, {others} others");
            all.push(m.finish(name, sum.unwrap()));
        }
    }
    all
}

/// Rounding shifts by constants, of all values and of those that leave room for the rounding.
pub fn rounded() -> Vec<Subject> {
    let mut all = Vec::new();
    for ty in [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32] {
        for halved in [false, true] {
            for n in [1, 2, 4, 7, 8, 15].into_iter().filter(|&n| n < ty.bits()) {
                let mut m = Make::new();
                let (mut a, one) = (m.input(ty), m.constant(Type::U32, 1));
                if halved {
                    a = m.binary(BinaryOp::Shr, a, one);
                }
                let amount = m.constant(Type::U32, i128::from(n));
                let value = m.binary(BinaryOp::RoundingShr, a, amount);
                all.push(m.finish(format!("{ty:?} rounded by {n}, halved {halved}"), value));
            }
        }
    }
    all
}
