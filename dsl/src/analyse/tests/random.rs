//! Random bodies and inputs, always the same for a seed.

use super::builder::Builder;
use crate::interpret::Arguments;
use crate::ir::*;

use BinaryOp::*;
use Type::*;

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

    pub(super) fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() % (hi - lo + 1) as u64) as i64
    }
}

const INTEGERS: [Type; 6] = [U8, I8, U16, I16, U32, I32];
const CHECKED: [BinaryOp; 5] = [Add, Sub, Mul, Div, Rem];
const TOTAL: [BinaryOp; 15] = [
    And,
    Or,
    Xor,
    Min,
    Max,
    AbsDiff,
    WrappingAdd,
    WrappingSub,
    WrappingMul,
    SaturatingAdd,
    SaturatingSub,
    SaturatingMul,
    HalvingAdd,
    RoundingHalvingAdd,
    MulHigh,
];
const COMPARISONS: [BinaryOp; 6] = [Eq, Ne, Lt, Le, Gt, Ge];
const UNARY: [UnaryOp; 12] = [
    UnaryOp::Neg,
    UnaryOp::Not,
    UnaryOp::Abs,
    UnaryOp::UnsignedAbs,
    UnaryOp::WrappingNeg,
    UnaryOp::WrappingAbs,
    UnaryOp::SaturatingNeg,
    UnaryOp::SaturatingAbs,
    UnaryOp::Signum,
    UnaryOp::CountOnes,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
];
const FLOAT_UNARY: [UnaryOp; 7] =
    [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sqrt, UnaryOp::Floor, UnaryOp::Ceil, UnaryOp::Trunc, UnaryOp::RoundTiesEven];

/// A body of about `size` values over a few inputs and uniforms.
pub(super) fn body(random: &mut Random, size: usize) -> Builder {
    let mut b = Builder::new();
    let mut pool = Vec::new();
    for name in ["a", "b", "c"] {
        let ty = random.pick(&[U8, U8, I8, U16, I16, U32, I32, F32]);
        pool.push(b.input(name, ty));
    }
    let related = random.below(2) == 0;
    let first = random.pick(&INTEGERS);
    for name in ["u", "v"] {
        let ty = if related { first } else { random.pick(&INTEGERS) };
        let (lo, hi) = crate::arithmetic::limits(ty);
        let (lo, hi) = (random.between(lo, hi.min(4)), random.between(0, hi));
        pool.push(b.bounded(name, ty, lo.min(hi), lo.max(hi)));
    }
    if related {
        require_order(random, &mut b);
    }
    if random.below(3) == 0 {
        pool.extend(b.array("w", I16, 2, Some(300)));
    }
    pool.push(b.bounded_float("f", -1.5, 100.0));
    pool.push(b.node(I32, Op::Coordinate { axis: Axis::X, offset: 0 }));
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
            (Bool, _) => self.condition(pool),
            (F32, F32 | Bool) => self.b.float(0.5),
            (F32, _) => self.b.cast(other, F32),
            (_, Bool | F32) => self.b.cast(other, ty),
            _ if self.random.below(3) == 0 => {
                let (lo, hi) = crate::arithmetic::limits(ty);
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
            pool.iter().copied().filter(|value| !matches!(self.b.ty(*value), Bool | F32)).collect();
        if integers.is_empty() { self.value(pool, ty) } else { self.random.pick(&integers) }
    }

    fn integer(&mut self, pool: &[ValueId], ops: &[BinaryOp]) -> ValueId {
        let op = self.random.pick(ops);
        let a = self.an_integer(pool);
        let other = self.value(pool, self.b.ty(a));
        if self.random.below(2) == 0 { self.b.binary(op, a, other) } else { self.b.binary(op, other, a) }
    }

    fn shift(&mut self, pool: &[ValueId]) -> ValueId {
        let op = self.random.pick(&[Shl, Shr, RoundingShr, WrappingShl]);
        let x = self.an_integer(pool);
        let amount = match self.random.below(3) {
            0 => self.value(pool, U32),
            _ => {
                let amount = self.random.between(0, 9);
                self.b.int(U32, amount)
            }
        };
        self.b.binary(op, x, amount)
    }

    fn unary(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.an_integer(pool);
        let op = match (self.b.ty(x), self.random.pick(&UNARY)) {
            (U8 | U16 | U32, UnaryOp::Not | UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros) => {
                UnaryOp::Not
            }
            (U8 | U16 | U32, _) => UnaryOp::Isqrt,
            (_, op) => op,
        };
        self.b.unary(op, x)
    }

    fn cast(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.random.pick(pool);
        let to = self.random.pick(&INTEGERS);
        match self.b.ty(x) {
            Bool | F32 => self.b.cast(x, to),
            _ => {
                let mode = self.random.pick(&[CastMode::Value, CastMode::Wrapping, CastMode::Saturating]);
                self.b.node(to, Op::Cast(mode, x))
            }
        }
    }

    fn float(&mut self, pool: &[ValueId]) -> ValueId {
        let x = self.value(pool, F32);
        match self.random.below(8) {
            0..=2 => {
                let (op, other) = (self.random.pick(&[Add, Sub, Mul, Div, Min, Max]), self.value(pool, F32));
                self.b.binary(op, x, other)
            }
            3 => {
                let op = self.random.pick(&FLOAT_UNARY);
                self.b.unary(op, x)
            }
            4 => {
                let (y, z) = (self.value(pool, F32), self.value(pool, F32));
                self.b.node(F32, Op::MulAdd(x, y, z))
            }
            5 => self.b.unary(UnaryOp::ToBits, x),
            6 => {
                let bits = self.value(pool, U32);
                self.b.unary(UnaryOp::FromBits, bits)
            }
            _ => {
                let value = self.random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, 255.0, 1e30, f32::INFINITY, f32::NAN]);
                self.b.float(value)
            }
        }
    }

    fn condition(&mut self, pool: &[ValueId]) -> ValueId {
        let bools: Vec<ValueId> = pool.iter().copied().filter(|value| self.b.ty(*value) == Bool).collect();
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
                let (op, x, y) = (self.random.pick(&COMPARISONS), self.value(pool, F32), self.value(pool, F32));
                if self.random.below(4) == 0 { self.b.unary(UnaryOp::IsNan, x) } else { self.b.binary(op, x, y) }
            }
            3 => {
                // Two conditions on one value, one of which may be computed from it.
                let x = self.an_integer(pool);
                let ty = self.b.ty(x);
                let derived = match self.random.below(4) {
                    0 => {
                        let amount = self.b.int(U32, 2);
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

/// Values for everything that a body reads.
pub(super) struct Inputs<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) seed: u64,
    /// Values given, by what reads them; everything else follows from the seed.
    pub(super) given: Vec<(Op, Constant)>,
}

impl Inputs<'_> {
    /// Whether the uniforms keep what the kernel declares beside their bounds.
    pub(super) fn is_declared(&self) -> bool {
        let scalar = |uniform: UniformId, index| match self.uniform(uniform, index) {
            Constant::Int(value) => value,
            other => panic!("{other:?}"),
        };
        let side = |term| match term {
            RequireTerm::Uniform(uniform) => scalar(uniform, 0),
            RequireTerm::Constant(bound) => panic!("{bound:?}"),
        };
        let ids = (0..self.kernel.uniforms.len() as u32).map(UniformId).zip(&self.kernel.uniforms);
        let magnitudes = ids.filter_map(|(id, own)| Some((id, own.dims[..].first()?, own.sum_of_magnitudes?)));
        self.kernel.requires.iter().all(|require| {
            let (left, right) = (side(require.left), side(require.right));
            crate::arithmetic::binary(require.op, I32, Constant::Int(left), Constant::Int(right))
                == Some(Constant::Bool(true))
        }) && magnitudes
            .into_iter()
            .all(|(id, count, most)| (0..*count).map(|index| scalar(id, index).unsigned_abs()).sum::<u64>() <= most)
    }

    fn value(&self, op: Op, ty: Type, bounds: Option<(Bound, Bound)>) -> Constant {
        if let Some((_, value)) = self.given.iter().find(|(own, _)| *own == op) {
            return *value;
        }
        let place = match op {
            Op::Input { input, dx, dy, .. } => (input.0 as u64) << 20 ^ ((dx + 64) as u64) << 8 ^ (dy + 64) as u64,
            Op::Uniform { uniform, index } => 1 << 40 ^ (uniform.0 as u64) << 20 ^ u64::from(index),
            Op::Coordinate { axis, .. } => 2 << 40 ^ axis as u64,
            _ => 3 << 40,
        };
        let mut random = Random::new(self.seed ^ place.wrapping_mul(0x2545_f491_4f6c_dd1d));
        random.next();
        match (ty, bounds) {
            (F32, Some((Bound::Float(lo), Bound::Float(hi)))) => {
                let middle = lo + (hi - lo) * (random.below(1000) as f32 / 1000.0);
                Constant::Float(random.pick(&[lo, hi, middle, middle]).to_bits())
            }
            (F32, _) => {
                let bits = random.next() as u32;
                let known = [0.0, -0.0, 1.0, -1.0, 255.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.75];
                let any = f32::from_bits(bits);
                let value = if random.below(2) == 0 { any } else { random.pick(&known) };
                Constant::Float(value.to_bits())
            }
            (_, bounds) => {
                let (lo, hi) = match bounds {
                    Some((Bound::Int(lo), Bound::Int(hi))) => (lo, hi),
                    _ => crate::arithmetic::limits(ty),
                };
                let any = random.between(lo, hi);
                let small = random.between(-4, 300).clamp(lo, hi);
                Constant::Int(random.pick(&[lo, hi, any, small, small, 0i64.clamp(lo, hi)]))
            }
        }
    }
}

impl Arguments for Inputs<'_> {
    fn input(&self, input: InputId, channel: u32, dx: i32, dy: i32) -> Constant {
        let ty = self.kernel.inputs[input.0 as usize].ty;
        self.value(Op::Input { input, channel, dx, dy }, ty, None)
    }

    fn uniform(&self, uniform: UniformId, index: u32) -> Constant {
        let own = &self.kernel.uniforms[uniform.0 as usize];
        self.value(Op::Uniform { uniform, index }, own.ty, own.bounds)
    }

    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn table(&self, table: TableId, index: i64) -> Option<Constant> {
        let own = &self.kernel.tables[table.0 as usize];
        let (lo, hi) = crate::arithmetic::limits(own.ty);
        let value = Random::new(self.seed ^ index as u64).between(lo, hi);
        (0..i64::from(own.length)).contains(&index).then_some(Constant::Int(value))
    }

    fn coordinate(&self, axis: Axis) -> i32 {
        let bounds = Some((Bound::Int(0), Bound::Int((1 << 30) - 1)));
        match self.value(Op::Coordinate { axis, offset: 0 }, I32, bounds) {
            Constant::Int(value) => value as i32,
            other => panic!("{other:?}"),
        }
    }
}
