//! Random bodies, always the same for a seed.

use super::builder::Builder;
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::*;

use BinaryOp::*;

/// xorshift: its quality doesn't matter, that a failing seed can be run again does.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(super) fn between(&mut self, lo: i128, hi: i128) -> i128 {
        lo + (self.next() % (hi - lo + 1) as u64) as i128
    }
}

const INTEGERS: [Type; 6] = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32];
const CHECKED: [BinaryOp; 5] = [Add(Never), Sub(Never), Mul(Never), Div, Rem];
const TOTAL: [BinaryOp; 15] = [
    And,
    Or,
    Xor,
    Min,
    Max,
    AbsDiff,
    Add(Wrap),
    Sub(Wrap),
    Mul(Wrap),
    Add(Saturate),
    Sub(Saturate),
    Mul(Saturate),
    HalvingAdd,
    RoundingHalvingAdd,
    MulHigh,
];
const COMPARISONS: [BinaryOp; 6] = [Eq, Ne, Lt, Le, Gt, Ge];
const UNARY: [UnaryOp; 12] = [
    UnaryOp::Neg(Never),
    UnaryOp::Not,
    UnaryOp::Abs(Never),
    UnaryOp::UnsignedAbs,
    UnaryOp::Neg(Wrap),
    UnaryOp::Abs(Wrap),
    UnaryOp::Neg(Saturate),
    UnaryOp::Abs(Saturate),
    UnaryOp::Signum,
    UnaryOp::CountOnes,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
];
pub(super) const FLOAT_UNARY: [UnaryOp; 7] = [
    UnaryOp::Neg(Never),
    UnaryOp::Abs(Never),
    UnaryOp::Sqrt,
    UnaryOp::Floor,
    UnaryOp::Ceil,
    UnaryOp::Trunc,
    UnaryOp::RoundTiesEven,
];

/// A body of about `size` values over a few inputs and uniforms.
pub(super) fn body(random: &mut Random, size: usize) -> Builder {
    let mut b = Builder::new();
    let mut pool = Vec::new();
    for name in ["a", "b", "c"] {
        let ty = random.pick(&[Type::U8, Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32]);
        pool.push(b.input(name, ty));
    }
    let related = random.below(2) == 0;
    let first = random.pick(&INTEGERS);
    for name in ["u", "v"] {
        let ty = if related { first } else { random.pick(&INTEGERS) };
        let (lo, hi) = ty.limits();
        let (lo, hi) = (random.between(lo, hi.min(4)), random.between(0, hi));
        pool.push(b.bounded(name, ty, lo.min(hi), lo.max(hi)));
    }
    if related {
        require_order(random, &mut b);
    }
    if random.below(3) == 0 {
        pool.extend(b.array("w", Type::I16, 2, Some(300)));
    }
    pool.push(b.bounded_float("f", -1.5, 100.0));
    pool.push(b.node(Type::I32, Op::Coordinate { axis: AxisId::X, offset: 0 }));
    Generator { random, b: &mut b }.block(&mut pool, size, 0);
    b
}

/// A relation between the first two uniforms that some values within their bounds keep.
fn require_order(random: &mut Random, b: &mut Builder) {
    let bounds = |at: usize| match b.kernel.uniforms[at].bounds {
        Some((Bound::Int(lo), Bound::Int(hi))) => (lo, hi),
        other => panic!("{other:?}"),
    };
    let ((lo, hi), (least, most)) = (bounds(0), bounds(1));
    let possible = [(Lt, lo < most), (Le, lo <= most), (Ge, hi >= least), (Gt, hi > least)];
    let (op, holds) = random.pick(&possible);
    if holds {
        b.require(0, op, 1);
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    b: &'a mut Builder,
}

impl Generator<'_> {
    fn block(&mut self, pool: &mut Vec<ValueId>, size: usize, depth: usize) {
        for _ in 0..size {
            let value = match self.random.below(20) {
                0..=4 => self.integer(pool, &TOTAL),
                5..=9 => self.integer(pool, &CHECKED),
                10 => self.shift(pool),
                11 => self.unary(pool),
                12 | 13 => self.cast(pool),
                14 => self.float(pool),
                15 => self.condition(pool),
                16 => self.other(pool),
                _ if depth < 3 => self.branch(pool, depth),
                _ => continue,
            };
            pool.push(value);
        }
    }

    /// A value of a type: one there is, one cast, or a constant.
    fn value(&mut self, pool: &[ValueId], ty: Type) -> ValueId {
        let same: Vec<ValueId> = pool.iter().copied().filter(|value| self.b.ty(*value) == ty).collect();
        if !same.is_empty() && self.random.below(8) < 6 {
            // The latest values are the most interesting.
            let from = same.len().saturating_sub(4);
            let late = self.random.below(2) == 0;
            return self.random.pick(if late { &same[from..] } else { &same });
        }
        let other = self.random.pick(pool);
        match (ty, self.b.ty(other)) {
            (Type::BOOL, _) => self.condition(pool),
            (Type::F32, Type::F32 | Type::BOOL) => self.b.float(0.5),
            (Type::F32, _) => self.b.cast(other, Type::F32),
            (_, Type::BOOL | Type::F32) => self.b.cast(other, ty),
            _ if self.random.below(3) == 0 => {
                let (lo, hi) = ty.limits();
                let value = [0, 1, 2, 3, -1, 7, 100, 255, lo, hi][self.random.below(10)].clamp(lo, hi);
                self.b.int(ty, value)
            }
            _ => {
                let mode = self.random.pick(&[CastMode::Value, CastMode::Wrapping, CastMode::Saturating]);
                self.b.node(ty, Op::Cast(mode, other))
            }
        }
    }

    fn an_integer(&mut self, pool: &[ValueId]) -> ValueId {
        let ty = self.random.pick(&INTEGERS);
        let integers: Vec<ValueId> =
            pool.iter().copied().filter(|value| !matches!(self.b.ty(*value), Type::BOOL | Type::F32)).collect();
        if integers.is_empty() { self.value(pool, ty) } else { self.random.pick(&integers) }
    }

    fn integer(&mut self, pool: &[ValueId], ops: &[BinaryOp]) -> ValueId {
        let op = self.random.pick(ops);
        let a = self.an_integer(pool);
        let other = self.value(pool, self.b.ty(a));
        if self.random.below(2) == 0 { self.b.binary(op, a, other) } else { self.b.binary(op, other, a) }
    }

    fn shift(&mut self, pool: &[ValueId]) -> ValueId {
        let op = self.random.pick(&[Shl(Never), Shr, RoundingShr, Shl(Wrap)]);
        let x = self.an_integer(pool);
        let amount = match self.random.below(3) {
            0 => self.value(pool, Type::U32),
            _ => {
                let amount = self.random.between(0, 9);
                self.b.int(Type::U32, amount)
            }
        };
        self.b.binary(op, x, amount)
    }

    fn unary(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.an_integer(pool);
        let op = match (self.b.ty(x), self.random.pick(&UNARY)) {
            (
                Type::U8 | Type::U16 | Type::U32,
                UnaryOp::Not | UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros,
            ) => UnaryOp::Not,
            (Type::U8 | Type::U16 | Type::U32, _) => UnaryOp::Isqrt,
            (_, op) => op,
        };
        self.b.unary(op, x)
    }

    fn cast(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.random.pick(pool);
        let to = self.random.pick(&INTEGERS);
        match self.b.ty(x) {
            Type::BOOL | Type::F32 => self.b.cast(x, to),
            _ => {
                let mode = self.random.pick(&[CastMode::Value, CastMode::Wrapping, CastMode::Saturating]);
                self.b.node(to, Op::Cast(mode, x))
            }
        }
    }

    fn float(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.value(pool, Type::F32);
        match self.random.below(8) {
            0..=2 => {
                let (op, other) = (
                    self.random.pick(&[Add(Never), Sub(Never), Mul(Never), Div, Min, Max]),
                    self.value(pool, Type::F32),
                );
                self.b.binary(op, x, other)
            }
            3 => {
                let op = self.random.pick(&FLOAT_UNARY);
                self.b.unary(op, x)
            }
            4 => {
                let (y, z) = (self.value(pool, Type::F32), self.value(pool, Type::F32));
                self.b.node(Type::F32, Op::MulAdd(x, y, z))
            }
            5 => self.b.unary(UnaryOp::ToBits, x),
            6 => {
                let bits = self.value(pool, Type::U32);
                self.b.unary(UnaryOp::FromBits, bits)
            }
            _ => {
                let value = self.random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, 255.0, 1e30, f32::INFINITY, f32::NAN]);
                self.b.float(value)
            }
        }
    }

    fn condition(&mut self, pool: &[ValueId]) -> ValueId {
        let bools: Vec<ValueId> = pool.iter().copied().filter(|value| self.b.ty(*value) == Type::BOOL).collect();
        match self.random.below(6) {
            0 if !bools.is_empty() => {
                let (x, y) = (self.random.pick(&bools), self.random.pick(&bools));
                let op = self.random.pick(&[And, Or, Xor, Eq, Ne]);
                self.b.binary(op, x, y)
            }
            1 if !bools.is_empty() => {
                let x = self.random.pick(&bools);
                self.b.unary(UnaryOp::Not, x)
            }
            2 => {
                let (op, x, y) =
                    (self.random.pick(&COMPARISONS), self.value(pool, Type::F32), self.value(pool, Type::F32));
                if self.random.below(4) == 0 { self.b.unary(UnaryOp::IsNan, x) } else { self.b.binary(op, x, y) }
            }
            3 => {
                // Two conditions on one value, one of which may be computed from it.
                let x = self.an_integer(pool);
                let ty = self.b.ty(x);
                let derived = match self.random.below(4) {
                    0 => {
                        let amount = self.b.int(Type::U32, 2);
                        self.b.binary(Shr, x, amount)
                    }
                    1 => {
                        let divisor = self.b.int(ty, 3);
                        self.b.binary(Div, x, divisor)
                    }
                    2 => {
                        let other = self.value(pool, ty);
                        let op = self.random.pick(&[Min, Max, AbsDiff]);
                        self.b.binary(op, x, other)
                    }
                    _ => x,
                };
                let [first, second] = [x, derived].map(|value| {
                    let (op, other) = (self.random.pick(&COMPARISONS), self.value(pool, self.b.ty(value)));
                    self.b.binary(op, value, other)
                });
                let op = self.random.pick(&[And, Or]);
                self.b.binary(op, first, second)
            }
            _ => self.integer(pool, &COMPARISONS),
        }
    }

    fn other(&mut self, pool: &[ValueId]) -> ValueId {
        let index = self.an_integer(pool);
        match self.random.below(3) {
            0 => {
                let ty = self.random.pick(&INTEGERS);
                self.b.lookup(ty, 256, index)
            }
            1 => {
                self.b.demand(Demand::Index { index, length: 9 });
                index
            }
            _ => {
                let ty = self.b.ty(index);
                let (lo, hi) = (self.value(pool, ty), self.value(pool, ty));
                self.b.clamp(index, lo, hi)
            }
        }
    }

    fn branch(&mut self, pool: &[ValueId], depth: usize) -> ValueId {
        let condition = self.condition(pool);
        let ty = self.b.ty(self.random.pick(pool));
        let [then, otherwise] = [true, false].map(|truth| {
            let random = &mut *self.random;
            self.b.under(condition, truth, |b| {
                let mut inner = pool.to_vec();
                let size = random.below(4);
                let mut generator = Generator { random, b };
                generator.block(&mut inner, size, depth + 1);
                generator.value(&inner, ty)
            })
        });
        self.b.node(ty, Op::Select { condition, then, otherwise })
    }
}
