//! Conversions from and to floats of 64 bits: a vector of 32 bits becomes two, and two become one.

use super::Neon;
use super::instructions::{call, call_of};
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Type;

impl Select<'_, Neon> {
    /// Integers of 32 bits, or floats, as floats of 64 bits: exact.
    pub fn doubles(&mut self, from: Type, vectors: &[VectorId]) -> Vec<VectorId> {
        let (lane, name) = (Lane::of(from), self.name());
        let both = |a: VectorId| match from {
            Type::F32 => [
                call("vcvt_f64", lane, vec![Arg::Low(a, lane)]),
                call_of("vcvt", "_high_f64", lane, vec![Arg::Whole(a, lane)]),
            ],
            _ => [
                call("vmovl", lane, vec![Arg::Low(a, lane)]),
                call_of("vmovl", "_high", lane, vec![Arg::Whole(a, lane)]),
            ]
            .map(|wide| call("vcvtq_f64", lane.wide(), vec![nested(wide)])),
        };
        vectors.iter().flat_map(|&a| both(a)).map(|double| self.program.call(Lane::F64, &name, double)).collect()
    }

    /// Floats of 64 bits as floats of 32, to nearest, or as integers of 32: toward zero, saturated, and 0 for a NaN.
    pub fn narrow_doubles(&mut self, to: Type, vectors: &[VectorId]) -> Vec<VectorId> {
        let (lane, name) = (Lane::of(to), self.name());
        let double = |a| Arg::Whole(a, Lane::F64);
        let narrow = |low: VectorId, high: VectorId| match to {
            Type::F32 => {
                let low = call("vcvt_f32", Lane::F64, vec![double(low)]);
                call_of("vcvt", "_high_f32", Lane::F64, vec![nested(low), double(high)])
            }
            _ => {
                let base = if lane.is_signed() { "vcvtq_s64" } else { "vcvtq_u64" };
                let wide = |a| nested(call(base, Lane::F64, vec![double(a)]));
                let low = call("vqmovn", lane.wide(), vec![wide(low)]);
                call_of("vqmovn", "_high", lane.wide(), vec![nested(low), wide(high)])
            }
        };
        let narrowed = vectors.chunks(2).map(|pair| narrow(pair[0], pair[pair.len() - 1]));
        narrowed.map(|call| self.program.call(lane, &name, call)).collect()
    }
}

fn nested(call: Call) -> Arg {
    Arg::Call(Box::new(call))
}
