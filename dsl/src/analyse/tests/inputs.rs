//! Random values for a body's arguments, always the same for a seed.

use super::random::Random;
use crate::arithmetic;
use crate::interpret::Arguments;
use crate::ir::*;

/// Values for everything that a body reads.
pub(super) struct Inputs<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) seed: u64,
    /// Values given, by what reads them; everything else follows from the seed.
    pub(super) given: Vec<(Op, Constant)>,
}

impl Inputs<'_> {
    /// Whether the uniforms keep what the kernel declares besides their bounds.
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
            arithmetic::binary(require.op, Type::I32, Constant::Int(left), Constant::Int(right))
                == Some(Constant::Bool(true))
        }) && magnitudes.into_iter().all(|(id, count, most)| {
            (0..*count).map(|index| scalar(id, index).unsigned_abs()).sum::<u128>() <= u128::from(most)
        })
    }

    fn value(&self, op: Op, ty: Type, bounds: Option<(Bound, Bound)>) -> Constant {
        if let Some((_, value)) = self.given.iter().find(|(own, _)| *own == op) {
            return *value;
        }
        let place = match op {
            Op::Load(ref access) => {
                let Tap { input, dx, dy, .. } = access.tap().expect("an element of an image");
                (input.0 as u64) << 20 ^ ((dx + 64) as u64) << 8 ^ (dy + 64) as u64
            }
            Op::Uniform { uniform, index } => 1 << 40 ^ (uniform.0 as u64) << 20 ^ u64::from(index),
            Op::Coordinate { axis, .. } => 2 << 40 ^ u64::from(axis != AxisId::X),
            _ => 3 << 40,
        };
        let mut random = Random::new(self.seed ^ place.wrapping_mul(0x2545_f491_4f6c_dd1d));
        random.next();
        match (ty, bounds) {
            (Type::F32, Some((Bound::Float(lo), Bound::Float(hi)))) => {
                let middle = lo + (hi - lo) * (random.below(1000) as f32 / 1000.0);
                Constant::Float(random.pick(&[lo, hi, middle, middle]).to_bits())
            }
            (Type::F32, _) => {
                let bits = random.next() as u32;
                let known = [0.0, -0.0, 1.0, -1.0, 255.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.75];
                let any = f32::from_bits(bits);
                let value = if random.below(2) == 0 { any } else { random.pick(&known) };
                Constant::Float(value.to_bits())
            }
            (_, bounds) => {
                let (lo, hi) = match bounds {
                    Some((Bound::Int(lo), Bound::Int(hi))) => (lo, hi),
                    _ => ty.limits(),
                };
                let any = random.between(lo, hi);
                let small = random.between(-4, 300).clamp(lo, hi);
                Constant::Int(random.pick(&[lo, hi, any, small, small, 0i128.clamp(lo, hi)]))
            }
        }
    }
}

impl Arguments for Inputs<'_> {
    fn element(&self, access: &Access) -> Constant {
        let ty = self.kernel.inputs[access.tensor.0 as usize].ty;
        self.value(Op::Load(access.clone()), ty, None)
    }

    fn uniform(&self, uniform: UniformId, index: u32) -> Constant {
        let own = &self.kernel.uniforms[uniform.0 as usize];
        self.value(Op::Uniform { uniform, index }, own.ty, own.bounds)
    }

    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn table(&self, table: TableId, index: i128) -> Option<Constant> {
        let own = &self.kernel.tables[table.0 as usize];
        let (lo, hi) = own.ty.limits();
        let value = Random::new(self.seed ^ index as u64).between(lo, hi);
        (0..i128::from(own.length)).contains(&index).then_some(Constant::Int(value))
    }

    fn coordinate(&self, axis: AxisId) -> i32 {
        let bounds = Some((Bound::Int(0), Bound::Int((1 << 30) - 1)));
        match self.value(Op::Coordinate { axis, offset: 0 }, Type::I32, bounds) {
            Constant::Int(value) => value as i32,
            other => panic!("{other:?}"),
        }
    }
}
