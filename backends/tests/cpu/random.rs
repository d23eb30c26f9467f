//! Random bodies: operations of all kinds on values of all types, some of them in the shapes that rows fuse.

use crate::make::{INTEGERS, Make, Subject, TYPES};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::*;

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// `count` bodies of about `size` operations.
pub fn bodies(count: u64, size: usize) -> Vec<Subject> {
    (0..count).map(|seed| body(seed, size)).collect()
}

fn body(seed: u64, size: usize) -> Subject {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678);
    let mut m = Make::new();
    let types = [random.of(&TYPES), random.of(&[Type::U8, Type::I16, Type::U8]), random.of(&INTEGERS)];
    let mut values: Vec<ValueId> = types.iter().map(|&ty| m.input(ty)).collect();
    let level = random.of(&INTEGERS);
    values.push(m.uniform(level, 5));
    while values.len() < size {
        let value = step(&mut random, &mut m, &values);
        values.push(value);
    }
    let last = values.iter().rev().copied().find(|&id| m.ty(id) != Type::BOOL).unwrap_or(values[0]);
    let mut sum = last;
    // Something of each type reaches the output.
    for &id in values.iter().rev().take(6) {
        if m.ty(id) == m.ty(last) && m.ty(last) != Type::F32 {
            sum = m.binary(BinaryOp::Xor, sum, id);
        }
    }
    let mut subject = m.finish(format!("random {seed}"), sum);
    subject.block = Some(Block { x: 1 + (seed % 2) as u32, y: 1 });
    subject
}

fn step(random: &mut Random, m: &mut Make, values: &[ValueId]) -> ValueId {
    let a = random.of(values);
    let ty = m.ty(a);
    let partners: Vec<ValueId> = values.iter().copied().filter(|&id| m.ty(id) == ty).collect();
    let b = random.of(&partners);
    if ty == Type::BOOL {
        return match random.below(3) {
            0 => m.unary(UnaryOp::Not, a),
            1 => m.binary(random.of(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]), a, b),
            _ => {
                let then = random.of(values);
                let same: Vec<ValueId> = values.iter().copied().filter(|&id| m.ty(id) == m.ty(then)).collect();
                m.select(a, then, random.of(&same))
            }
        };
    }
    match random.below(10) {
        0 => m.binary(random.of(&[BinaryOp::Lt, BinaryOp::Eq, BinaryOp::Ge, BinaryOp::Ne]), a, b),
        1..=3 if ty != Type::F32 => {
            let to = random.of(&INTEGERS);
            m.cast(random.of(&[CastMode::Wrapping, CastMode::Saturating]), to, a)
        }
        1 | 2 => m.cast(CastMode::Value, random.of(&TYPES), a),
        3 => m.cast(CastMode::Value, Type::F32, b),
        _ if ty == Type::F32 => {
            m.binary(random.of(&[BinaryOp::Add(Never), BinaryOp::Mul(Never), BinaryOp::Min, BinaryOp::Max]), a, b)
        }
        4 => {
            let n = m.constant(Type::U32, 1 + random.below(ty.bits() as usize - 1) as i128);
            m.binary(random.of(&[BinaryOp::Shr, BinaryOp::RoundingShr, BinaryOp::Shl(Wrap)]), a, n)
        }
        5 => {
            // A widened product, sum or difference, which rows fuse.
            let wide = match ty.bits() {
                8 => random.of(&[Type::U16, Type::I16]),
                _ => random.of(&[Type::U32, Type::I32]),
            };
            let (x, y) = (m.cast(CastMode::Wrapping, wide, a), m.cast(CastMode::Wrapping, wide, b));
            m.binary(random.of(&[BinaryOp::Mul(Wrap), BinaryOp::Add(Wrap), BinaryOp::Sub(Wrap)]), x, y)
        }
        _ => {
            use BinaryOp::*;
            let op = random.of(&[
                Add(Wrap),
                Add(Wrap),
                Sub(Wrap),
                Mul(Wrap),
                Add(Saturate),
                Sub(Saturate),
                Mul(Saturate),
                Min,
                Max,
                And,
                Or,
                Xor,
                AbsDiff,
                HalvingAdd,
                RoundingHalvingAdd,
                MulHigh,
            ]);
            m.binary(op, a, b)
        }
    }
}
