//! What natural arithmetic becomes, and that it means the same: hand-made bodies, then random ones.

use crate::interpret::{self, Arguments};
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::*;
use crate::optimise::testing::{Raw, kernel, lines, u8_body};
use crate::optimise::{in_demand_order, number, prepare, remove_dead};

/// The operations after all passes, in the order in which they are asked for.
fn prepared(body: Body) -> Vec<String> {
    lines(&in_demand_order(&prepare(&kernel(Type::U8, body)).bodies[0]))
}

/// The sum of both inputs and more, in a type of the author's, as u8.
fn in_type(ty: Type, make: impl FnOnce(&mut Raw, ValueId, ValueId) -> ValueId) -> Body {
    u8_body(|raw, a, b| {
        let (a, b) = (raw.raw(Op::Cast(CastMode::Value, a), ty), raw.raw(Op::Cast(CastMode::Value, b), ty));
        let value = make(raw, a, b);
        raw.raw(Op::Cast(CastMode::Value, value), Type::U8)
    })
}

#[test]
fn a_sum_of_bytes_takes_16_bits_whatever_was_written() {
    for ty in [Type::U16, Type::I16, Type::U32, Type::I32] {
        let body = in_type(ty, |raw, a, b| {
            let two = raw.int(2, Type::U32);
            let sum = raw.raw(Op::Binary(BinaryOp::Add(Never), a, b), ty);
            let sum = raw.raw(Op::Binary(BinaryOp::Add(Never), sum, sum), ty);
            raw.raw(Op::Binary(BinaryOp::Shr, sum, two), ty)
        });
        let expected = [
            "a.0[0, 0]",
            "Cast::Value v0",
            "b.0[0, 0]",
            "Cast::Value v2",
            "Add v1 v3",
            "Add v4 v4",
            "2",
            "Shr v5 v6",
            "Cast::Value v7",
        ];
        assert_eq!(prepared(body), expected, "{ty:?}");
    }
}

#[test]
fn only_the_low_bits_of_a_sum_are_computed() {
    // (300·a + 700·b) mod 256: nothing looks at more than bytes.
    let body = u8_body(|raw, a, b| {
        let [a, b] = [a, b].map(|x| raw.raw(Op::Cast(CastMode::Value, x), Type::I32));
        let (p, q) = (raw.int(300, Type::I32), raw.int(700, Type::I32));
        let [a, b] = [(a, p), (b, q)].map(|(x, c)| raw.raw(Op::Binary(BinaryOp::Mul(Never), x, c), Type::I32));
        let sum = raw.raw(Op::Binary(BinaryOp::Add(Never), a, b), Type::I32);
        raw.raw(Op::Cast(CastMode::Wrapping, sum), Type::U8)
    });
    let expected =
        ["a.0[0, 0]", "44", "WrappingMul v0 v1", "b.0[0, 0]", "188", "WrappingMul v3 v4", "WrappingAdd v2 v5"];
    assert_eq!(prepared(body), expected);
}

#[test]
fn a_comparison_is_as_wide_as_its_operands() {
    let body = in_type(Type::I32, |raw, a, b| {
        let condition = raw.raw(Op::Binary(BinaryOp::Lt, a, b), Type::BOOL);
        let (no, yes) = (raw.int(0, Type::I32), raw.int(255, Type::I32));
        raw.raw(Op::Select { condition, then: yes, otherwise: no }, Type::I32)
    });
    assert_eq!(prepared(body), ["a.0[0, 0]", "b.0[0, 0]", "Lt v0 v1", "255", "0", "Select v2 v3 v4"]);
}

#[test]
fn a_negative_sum_is_widened_with_its_sign() {
    // (a − b)·1000 needs 32 bits, a − b does not.
    let mut raw = Raw::default();
    let (a, b) = (raw.input(0, Type::U8), raw.input(1, Type::U8));
    let [a, b] = [a, b].map(|x| raw.raw(Op::Cast(CastMode::Value, x), Type::I32));
    let difference = raw.raw(Op::Binary(BinaryOp::Sub(Never), a, b), Type::I32);
    let thousand = raw.int(1000, Type::I32);
    let product = raw.raw(Op::Binary(BinaryOp::Mul(Never), difference, thousand), Type::I32);
    let mut kernel = kernel(Type::U8, raw.store(product));
    kernel.outputs[0].ty = Type::I32;
    let body = &in_demand_order(&prepare(&kernel).bodies[0]);
    let types: Vec<Type> = body.nodes.iter().map(|node| node.ty).collect();
    assert_eq!(
        types,
        [Type::U8, Type::I16, Type::U8, Type::I16, Type::I16, Type::I32, Type::I32, Type::I32],
        "{:?}",
        lines(body)
    );
}

#[test]
fn an_index_keeps_its_bound() {
    // Proved to be below 100, and bounded all the same.
    let body = in_type(Type::I32, |raw, a, _| {
        let last = raw.int(99, Type::I32);
        let index = raw.raw(Op::Binary(BinaryOp::Min, a, last), Type::I32);
        let entry = raw.raw(Op::Lookup { table: TableId(0), index }, Type::U8);
        raw.raw(Op::Cast(CastMode::Value, entry), Type::I32)
    });
    assert_eq!(prepared(body), ["a.0[0, 0]", "99", "Min v0 v1", "t[v2]"]);
    let body = in_type(Type::I32, |raw, a, _| {
        let two = raw.int(2, Type::U32);
        let index = raw.raw(Op::Binary(BinaryOp::Shr, a, two), Type::I32);
        let entry = raw.raw(Op::Lookup { table: TableId(0), index }, Type::U8);
        raw.raw(Op::Cast(CastMode::Value, entry), Type::I32)
    });
    assert_eq!(prepared(body), ["a.0[0, 0]", "2", "Shr v0 v1", "99", "Min v2 v3", "t[v4]"]);
}

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

/// Two elements.
struct Pair([i128; 2]);

impl Arguments for Pair {
    fn element(&self, access: &Access) -> Constant {
        Constant::Int(self.0[access.tensor.0 as usize])
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn table(&self, _: TableId, index: i128) -> Option<Constant> {
        (0..100).contains(&index).then_some(Constant::Int(index * 7 % 256))
    }
    fn coordinate(&self, _: AxisId) -> i32 {
        77
    }
}

/// Arithmetic in one wide type over two narrow elements, as authors write it.
fn natural(random: &mut Random, narrow: Type, wide: Type) -> Body {
    use BinaryOp::*;
    let mut raw = Raw::default();
    let inputs = [raw.input(0, narrow), raw.input(1, narrow)];
    let mut values: Vec<ValueId> = inputs.map(|x| raw.raw(Op::Cast(CastMode::Value, x), wide)).to_vec();
    for _ in 0..3 + random.below(14) {
        let (a, b) = (random.of(&values), random.of(&values));
        let small = random.of(&[0, 1, 2, 3, 7, 8, 128, 255]);
        let value = match random.below(14) {
            0..=3 => raw.raw(Op::Binary(random.of(&[Add(Never), Sub(Never), Add(Wrap), Sub(Wrap)]), a, b), wide),
            4 => {
                let c = raw.int(small, wide);
                raw.raw(
                    Op::Binary(random.of(&[Add(Never), Sub(Never), Mul(Never), Div, Rem, Min, Max, And]), a, c),
                    wide,
                )
            }
            5 | 6 => raw.raw(Op::Binary(random.of(&[Min, Max, And, Or, Xor, HalvingAdd, MulHigh]), a, b), wide),
            7 => {
                let n = raw.int(random.below(12) as i128, Type::U32);
                raw.raw(Op::Binary(random.of(&[Shr, RoundingShr, Shl(Wrap)]), a, n), wide)
            }
            8 | 9 => {
                let condition = raw.raw(Op::Binary(random.of(&[Lt, Le, Gt, Ge, Eq]), a, b), Type::BOOL);
                let [x, y] = [random.of(&values), random.of(&values)];
                raw.raw(Op::Select { condition, then: x, otherwise: y }, wide)
            }
            10 => {
                let ty = random.of(&[Type::U8, Type::I8, Type::U16, Type::I16]);
                let value = raw.raw(Op::Cast(random.of(&[CastMode::Wrapping, CastMode::Saturating]), a), ty);
                let mode = if wide == Type::U32 { CastMode::Wrapping } else { CastMode::Value };
                raw.raw(Op::Cast(mode, value), wide)
            }
            11 => raw.raw(Op::Unary(random.of(&[UnaryOp::Neg(Wrap), UnaryOp::Abs(Wrap), UnaryOp::Not]), a), wide),
            12 => raw.raw(Op::Binary(Mul(Never), a, b), wide),
            _ => {
                let half = raw.int(1 << random.below(7), wide);
                let sum = raw.raw(Op::Binary(Add(Never), a, half), wide);
                let n = raw.int(1 + random.below(8) as i128, Type::U32);
                raw.raw(Op::Binary(Shr, sum, n), wide)
            }
        };
        values.push(value);
    }
    let last = values[values.len() - 1];
    let out = raw.raw(Op::Cast(random.of(&[CastMode::Saturating, CastMode::Wrapping]), last), narrow);
    raw.store(out)
}

#[test]
fn natural_arithmetic_keeps_its_meaning() {
    let (mut compared, mut narrowed) = (0, 0);
    for seed in 0..6000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let narrow = random.of(&[Type::U8, Type::U8, Type::I8, Type::I16, Type::U16]);
        let wide =
            if narrow == Type::U8 { random.of(&[Type::I32, Type::I32, Type::I16, Type::U32]) } else { Type::I32 };
        let original = natural(&mut random, narrow, wide);
        let mut kernel = kernel(narrow, original.clone());
        kernel.outputs[0].ty = narrow;
        let after = &prepare(&kernel).bodies[0];
        let width = |body: &Body| body.nodes.iter().map(|node| node.ty.bits()).sum::<u32>();
        narrowed += usize::from(width(after) < width(&remove_dead(&number(&original))));
        let (lo, hi) = narrow.limits();
        for _ in 0..24 {
            let pair = [0, 1].map(|_| match random.below(3) {
                0 => random.of(&[lo, hi, 0, 1, lo / 2, hi / 2]),
                _ => lo + random.below((hi - lo + 1) as usize) as i128,
            });
            let Ok(expected) = interpret::stores(&original, &Pair(pair)) else { continue };
            let found = interpret::stores(after, &Pair(pair));
            assert_eq!(found, Ok(expected), "seed {seed}, {pair:?}\n{:?}\n{:?}", lines(&original), lines(after));
            compared += 1;
        }
    }
    assert!(compared > 40_000 && narrowed > 3_000, "{compared} {narrowed}");
}
