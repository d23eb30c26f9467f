//! What lies side by side in memory, combined pair by pair: every operation on two channels of a pixel for all pairs of bytes, and
//! windows of taps two elements apart at the edges of what lanes hold.

use crate::make::{INTEGERS, Make, Subject, TYPES};
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::*;

/// The types that hold a type's values in lanes of twice the width.
fn wider(ty: Type) -> &'static [Type] {
    match ty {
        Type::U8 => &[Type::U16, Type::I16],
        Type::I8 => &[Type::I16],
        Type::U16 => &[Type::U32, Type::I32],
        Type::I16 => &[Type::I32],
        _ => &[],
    }
}

/// Two channels by one operation, for all pairs of bytes where they are bytes.
pub fn of_two(op: BinaryOp, ty: Type) -> Subject {
    let mut m = Make::new();
    let image = m.image(ty, 2, (1, 1), Neighbourhood::default());
    let [a, b] = [0, 1].map(|channel| m.tap(image, channel, 0, 0));
    let value = m.binary(op, b, a);
    Subject { pairs: ty.bits() == 8, ..m.finish(format!("neighbours {op:?} {ty:?}"), value) }
}

/// Σ coefficient · channel, a third term of the result's own type before it where `onto` is set.
pub fn of_channels(from: Type, ty: Type, coefficients: [i128; 2], onto: bool) -> Subject {
    let mut m = Make::new();
    let image = m.image(from, 2, (1, 1), Neighbourhood::default());
    let mut sum = onto.then(|| m.input(ty));
    for (channel, coefficient) in (0..).zip(coefficients) {
        let tap = m.tap(image, channel, 0, 0);
        let wide = m.cast(CastMode::Value, ty, tap);
        sum = add(&mut m, sum, coefficient, wide);
    }
    let name = format!("neighbours {coefficients:?} of {from:?} in {ty:?}, onto another {onto}");
    Subject { pairs: from.bits() == 8, ..m.finish(name, sum.unwrap()) }
}

fn add(m: &mut Make, sum: Option<ValueId>, coefficient: i128, value: ValueId) -> Option<ValueId> {
    let ty = m.ty(value);
    let factor = m.constant(ty, coefficient.abs());
    let term = if coefficient.abs() == 1 { value } else { m.binary(BinaryOp::Mul(Wrap), value, factor) };
    Some(match (sum, coefficient < 0) {
        (None, false) => term,
        (None, true) => {
            let zero = m.constant(ty, 0);
            m.binary(BinaryOp::Sub(Wrap), zero, term)
        }
        (Some(sum), false) => m.binary(BinaryOp::Add(Wrap), sum, term),
        (Some(sum), true) => m.binary(BinaryOp::Sub(Wrap), sum, term),
    })
}

/// Every pair of channels.
pub fn pairs() -> Vec<Subject> {
    const COEFFICIENTS: [[i128; 2]; 9] =
        [[1, 1], [1, 2], [2, 1], [3, 125], [64, 65], [-64, -64], [127, -128], [2, 2], [-1, 1]];
    let ops = [BinaryOp::Add(Wrap), BinaryOp::Min, BinaryOp::Max, BinaryOp::Sub(Wrap)];
    let mut all: Vec<Subject> = ops.into_iter().flat_map(|op| INTEGERS.map(|ty| of_two(op, ty))).collect();
    all.extend([BinaryOp::Add(Never), BinaryOp::Min].map(|op| of_two(op, Type::F32)));
    for from in TYPES {
        for &ty in wider(from) {
            let of_place = |(place, coefficients)| of_channels(from, ty, coefficients, place % 2 == 1);
            all.extend(COEFFICIENTS.into_iter().enumerate().map(of_place));
        }
    }
    for from in [Type::U8, Type::I8] {
        all.extend(COEFFICIENTS.map(|coefficients| in_two_steps(from, coefficients)));
    }
    all.extend(narrowed());
    all
}

/// Sums that are shifted and narrowed again.
fn narrowed() -> Vec<Subject> {
    let mut all = Vec::new();
    let ways = [
        (Type::U8, Type::U16, BinaryOp::RoundingShr, CastMode::Wrapping, 1),
        (Type::U8, Type::I16, BinaryOp::Shr, CastMode::Saturating, 1),
        (Type::U8, Type::U16, BinaryOp::Shl(Wrap), CastMode::Wrapping, 3),
        (Type::I16, Type::I32, BinaryOp::RoundingShr, CastMode::Saturating, 2),
        (Type::I16, Type::I32, BinaryOp::Shr, CastMode::Wrapping, 16),
    ];
    for (narrow, wide, op, mode, n) in ways {
        for coefficients in [[1, 1], [3, 2]] {
            let mut m = Make::new();
            let image = m.image(narrow, 2, (1, 1), Neighbourhood::default());
            let mut sum = None;
            for (channel, coefficient) in (0..).zip(coefficients) {
                let tap = m.tap(image, channel, 0, 0);
                let tap = m.cast(CastMode::Value, wide, tap);
                sum = add(&mut m, sum, coefficient, tap);
            }
            let amount = m.constant(Type::U32, n);
            let shifted = m.binary(op, sum.unwrap(), amount);
            let value = m.cast(mode, narrow, shifted);
            let name = format!("neighbours {coefficients:?} of {narrow:?} in {wide:?}, {op:?} {n}, {mode:?}");
            all.push(Subject { pairs: narrow.bits() == 8, ..m.finish(name, value) });
        }
    }
    all
}

/// Bytes in 32 bits.
fn in_two_steps(from: Type, coefficients: [i128; 2]) -> Subject {
    let mut m = Make::new();
    let image = m.image(from, 2, (1, 1), Neighbourhood::default());
    let mut sum = None;
    for (channel, coefficient) in (0..).zip(coefficients) {
        let tap = m.tap(image, channel, 0, 0);
        let wide = m.cast(CastMode::Value, Type::I32, tap);
        sum = add(&mut m, sum, coefficient, wide);
    }
    Subject { pairs: true, ..m.finish(format!("neighbours {coefficients:?} of {from:?} in I32"), sum.unwrap()) }
}

/// Coefficients of windows from dx = −1 on, two elements apart.
const WINDOWS: &[&[i128]] = &[
    &[1, 1],
    &[1, 2, 1],
    &[1, 1, 1],
    &[2, 1, 1],
    &[1, 2, 2, 1],
    &[1, 4, 6, 4, 1],
    &[1, -1, 1, -1],
    &[0, 1],
    &[0, 3, 0, 5],
    &[1, 0, 1],
];

/// Windows of two rows, of which the second is taken twice; the block's vectors and rows share their edges.
pub fn windows() -> Vec<Subject> {
    let mut all = Vec::new();
    for from in TYPES {
        for &ty in wider(from) {
            for (place, coefficients) in WINDOWS.iter().enumerate() {
                let mut m = Make::new();
                let right = coefficients.len() as i32 - 2;
                let image = m.image(from, 1, (2, 2), Neighbourhood { left: -1, right, top: 0, bottom: 1 });
                let mut sum = None;
                for dy in 0..2 {
                    for (dx, coefficient) in (-1..).zip(coefficients.iter()) {
                        let tap = m.tap(image, 0, dx, dy);
                        let wide = m.cast(CastMode::Value, ty, tap);
                        sum = add(&mut m, sum, *coefficient << dy, wide);
                    }
                }
                let subject = m.finish(format!("window {coefficients:?} of {from:?} in {ty:?}"), sum.unwrap());
                let block = Block { x: 1 + place as u32 % 2, y: 2 };
                all.push(Subject { block: Some(block), ..subject });
            }
        }
    }
    all
}
