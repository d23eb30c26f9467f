//! Conversions from and to floats of 64 bits.
//!
//! A vector of 32 bits becomes two of 64, and two become one: as integers do, inside blocks, so that one undoes the other. The
//! instructions take and give the lower half of a vector instead; between them and blocks there is a permutation of quarters.

use super::X86;
use super::avx512;
use super::convert::float_bounds;
use super::float_order::FloatComparison;
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{Range, Type};

/// 2^31, by which unsigned integers are moved down to signed ones.
const TWO_31: &str = "2147483648.0f64";

impl Select<'_, X86> {
    /// Integers of 32 bits, or floats, as floats of 64 bits: exact.
    pub fn doubles_of(&mut self, from: Type, vectors: Vec<VectorId>) -> Vec<VectorId> {
        let convert = |select: &mut Self, a: VectorId| {
            let halves = select.halves(Lane::of(from), a);
            halves.map(|half| select.doubles_of_half(from, half))
        };
        vectors.into_iter().flat_map(|a| convert(self, a)).collect()
    }

    /// Half a vector of 32 bits as a vector of floats of 64.
    fn doubles_of_half(&mut self, from: Type, half: VectorId) -> VectorId {
        let lane = Lane::of(from);
        match (from, self.target) {
            (Type::F32, _) => self.op_as("cvtps_pd", lane, Lane::F64, &[half]),
            (Type::I32, _) => self.op_as("cvtepi32_pd", lane, Lane::F64, &[half]),
            (_, X86::Avx512) => self.op_as("cvtepu32_pd", lane, Lane::F64, &[half]),
            (..) => {
                let signed = self.moved_by_sign(half);
                let float = self.op_as("cvtepi32_pd", Lane::I32, Lane::F64, &[signed]);
                let offset = self.splat_text(TWO_31, Lane::F64, "n_2p31");
                self.op("add_pd", Lane::F64, &[float, offset])
            }
        }
    }

    /// Half a vector of integers of 32 bits, each with its highest bit inverted.
    fn moved_by_sign(&mut self, half: VectorId) -> VectorId {
        let sign = Call::new("_mm_set1_epi32", vec![Arg::Text("i32::MIN".to_owned())]);
        let sign = self.program.call_named(Lane::U32, "sign", sign);
        let args = [half, sign].map(|id| Arg::Whole(id, Lane::U32));
        self.call(Lane::I32, Call::new("_mm_xor_si128", args.to_vec()))
    }

    /// Floats of 64 bits as floats of 32: to nearest, ties to the even one.
    pub fn singles_of_doubles(&mut self, vectors: Vec<VectorId>) -> Vec<VectorId> {
        let convert = |select: &mut Self, pair: &[VectorId]| {
            let halves = [pair[0], pair[pair.len() - 1]].map(|a| select.op_as("cvtpd_ps", Lane::F64, Lane::F32, &[a]));
            select.joined(Lane::F32, halves)
        };
        vectors.chunks(2).map(|pair| convert(self, pair)).collect()
    }

    /// Floats of 64 bits as integers of 32: toward zero, saturated, and 0 for a NaN.
    pub fn integers_of_doubles(&mut self, range: Range, to: Type, vectors: Vec<VectorId>) -> Vec<VectorId> {
        let lane = Lane::of(to);
        let convert = |select: &mut Self, pair: &[VectorId]| {
            let halves = [pair[0], pair[pair.len() - 1]].map(|a| match to {
                Type::U32 => select.unsigned_of_doubles(range, a),
                _ => select.signed_of_doubles(range, a),
            });
            select.joined(lane, halves)
        };
        vectors.chunks(2).map(|pair| convert(self, pair)).collect()
    }

    /// The instruction gives MIN for all that does not fit: right below the range.
    fn signed_of_doubles(&mut self, range: Range, a: VectorId) -> VectorId {
        let ((_, hi, nan), mut a) = (float_bounds(range), a);
        let most = f64::from(i32::MAX);
        if nan {
            let is_number = self.compare_floats(FloatComparison::Ordered, Lane::F64, a, a);
            a = self.op("and_pd", Lane::F64, &[a, is_number]);
        }
        if hi > most {
            let most = self.splat_text("2147483647.0f64", Lane::F64, "n_2147483647");
            a = self.op("min_pd", Lane::F64, &[a, most]);
        }
        self.op_as("cvttpd_epi32", Lane::F64, Lane::I32, &[a])
    }

    fn unsigned_of_doubles(&mut self, range: Range, a: VectorId) -> VectorId {
        let ((lo, hi, nan), mut a) = (float_bounds(range), a);
        if lo < 0.0 || nan {
            // The second operand, where the first is a NaN.
            let zero = self.splat_text("0.0f64", Lane::F64, "nothing");
            a = self.op("max_pd", Lane::F64, &[a, zero]);
        }
        if hi > f64::from(u32::MAX) {
            let most = self.splat_text("4294967295.0f64", Lane::F64, "n_4294967295");
            a = self.op("min_pd", Lane::F64, &[a, most]);
        }
        if self.target == X86::Avx512 {
            return self.op_as("cvttpd_epu32", Lane::F64, Lane::U32, &[a]);
        }
        let whole = self.op_n("round_pd", super::float::TOWARD_ZERO, Lane::F64, &[a]);
        let offset = self.splat_text(TWO_31, Lane::F64, "n_2p31");
        let down = self.op("sub_pd", Lane::F64, &[whole, offset]);
        let signed = self.op_as("cvttpd_epi32", Lane::F64, Lane::I32, &[down]);
        self.moved_by_sign(signed)
    }

    /// The lower and the upper halves of all blocks of a vector, each as half a vector.
    fn halves(&mut self, lane: Lane, a: VectorId) -> [VectorId; 2] {
        let is_float = lane.is_float();
        match self.target {
            X86::Sse41 => {
                let high = if is_float {
                    self.op("movehl_ps", lane, &[a, a])
                } else {
                    self.op("unpackhi_epi64", lane, &[a, a])
                };
                [a, high]
            }
            X86::Avx2 | X86::Vnni => {
                let whole = self.op_n("permute4x64_epi64", 0b11_01_10_00, lane.unsigned(), &[a]);
                let (low, high) = if is_float {
                    ("castps256_ps128", "extractf128_ps")
                } else {
                    ("castsi256_si128", "extracti128_si256")
                };
                let reads = if is_float { lane } else { Lane::U32 };
                let low = self.op_as(low, reads, lane, &[whole]);
                let high = Call::on(self.target.name(high), reads, &[whole]).with(1);
                [low, self.call(lane, high)]
            }
            X86::Avx512 => {
                let whole = self.whole_halves(lane.unsigned(), a);
                let (low, high) = if is_float {
                    ("_mm512_castps512_ps256", "_mm512_extractf32x8_ps")
                } else {
                    ("_mm512_castsi512_si256", "_mm512_extracti64x4_epi64")
                };
                let reads = if is_float { lane } else { Lane::U32 };
                let low = self.call(lane, Call::new(low, vec![Arg::Whole(whole, reads)]));
                let high = Call::new(high, vec![Arg::Whole(whole, reads)]).with(1);
                [low, self.call(lane, high)]
            }
        }
    }

    /// Two halves of a vector, each of the lower or the upper halves of all blocks, as a vector.
    fn joined(&mut self, lane: Lane, [low, high]: [VectorId; 2]) -> VectorId {
        let is_float = lane.is_float();
        match self.target {
            X86::Sse41 if is_float => self.op("movelh_ps", lane, &[low, high]),
            X86::Sse41 => self.op("unpacklo_epi64", lane, &[low, high]),
            X86::Avx2 | X86::Vnni => {
                let base = if is_float { "set_m128" } else { "set_m128i" };
                let reads = if is_float { lane } else { Lane::U32 };
                let whole = self.op_as(base, reads, lane, &[high, low]);
                let whole = self.op_n("permute4x64_epi64", 0b11_01_10_00, lane.unsigned(), &[whole]);
                self.viewed(lane, whole)
            }
            X86::Avx512 => {
                let whole = match is_float {
                    true => {
                        let low = Call::new("_mm512_castps256_ps512", vec![Arg::Whole(low, lane)]);
                        let args = vec![Arg::Call(Box::new(low)), Arg::Whole(high, lane)];
                        self.call(lane, Call::new("_mm512_insertf32x8", args).with(1))
                    }
                    false => self.call(lane, avx512::joined_halves([low, high])),
                };
                let whole = self.blocks_of_halves(lane.unsigned(), whole);
                self.viewed(lane, whole)
            }
        }
    }

    /// A vector of integers as what its bits are in other lanes.
    fn viewed(&mut self, lane: Lane, a: VectorId) -> VectorId {
        match self.target.floats_of_bits(lane, a) {
            Some(call) => self.call(lane, call),
            None => a,
        }
    }
}

impl X86 {
    /// A vector of integers as floats of the same bits; none for lanes of integers.
    pub fn floats_of_bits(self, lane: Lane, a: VectorId) -> Option<Call> {
        let base = match (self, lane) {
            (X86::Sse41, Lane::F32) => "castsi128_ps",
            (X86::Sse41, Lane::F64) => "castsi128_pd",
            (X86::Avx2 | X86::Vnni, Lane::F32) => "castsi256_ps",
            (X86::Avx2 | X86::Vnni, Lane::F64) => "castsi256_pd",
            (X86::Avx512, Lane::F32) => "castsi512_ps",
            (X86::Avx512, Lane::F64) => "castsi512_pd",
            _ => return None,
        };
        Some(Call::on(self.name(base), Lane::U32, &[a]))
    }
}
