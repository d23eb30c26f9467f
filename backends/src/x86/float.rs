//! Operations on floats that take a few instructions, and what goes through them: order, signs, quotients of integers.

use super::float_order::FloatComparison;
use super::{X86, avx512};
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Range;
use windrow_dsl::ir::{BinaryOp, UnaryOp, ValueId};

/// Rounding without exceptions: to nearest even, down, up, and toward zero.
const NEAREST: u32 = 8;
const DOWN: u32 = 9;
const UP: u32 = 10;
pub const TOWARD_ZERO: u32 = 11;

impl Select<'_, X86> {
    /// An operation on a vector of floats that has no row; `None` for one that isn't a sequence either.
    pub fn float_unary(&mut self, op: UnaryOp, lane: Lane, a: VectorId) -> Option<VectorId> {
        let (pattern, sign) = (lane.unsigned(), 1i128 << (lane.bits() - 1));
        Some(match op {
            UnaryOp::Neg(_) => {
                let sign = self.splat_int(sign, pattern);
                self.op(of_width(lane, ["xor_ps", "xor_pd"]), lane, &[a, sign])
            }
            UnaryOp::Abs(_) => {
                let rest = self.splat_int(sign - 1, pattern);
                self.op(of_width(lane, ["and_ps", "and_pd"]), lane, &[a, rest])
            }
            UnaryOp::Trunc => self.rounded_float(TOWARD_ZERO, lane, a),
            UnaryOp::RoundTiesEven => self.rounded_float(NEAREST, lane, a),
            // Those of AVX-512: the others have rows.
            UnaryOp::Floor => self.rounded_float(DOWN, lane, a),
            UnaryOp::Ceil => self.rounded_float(UP, lane, a),
            // The same bits.
            UnaryOp::ToBits => a,
            UnaryOp::ToHalf => self.halves_of_floats(a),
            // The others have rows, or no meaning for floats.
            UnaryOp::Not
            | UnaryOp::UnsignedAbs
            | UnaryOp::Signum
            | UnaryOp::Sqrt
            | UnaryOp::Isqrt
            | UnaryOp::CountOnes
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros
            | UnaryOp::IsNan
            | UnaryOp::FromBits
            | UnaryOp::FromHalf => return None,
        })
    }

    /// A float rounded to an integer.
    fn rounded_float(&mut self, how: u32, lane: Lane, a: VectorId) -> VectorId {
        let names =
            if self.target == X86::Avx512 { ["roundscale_ps", "roundscale_pd"] } else { ["round_ps", "round_pd"] };
        self.op_n(of_width(lane, names), how, lane, &[a])
    }

    /// minimumNumber and maximumNumber. The instruction gives its second operand where one is a NaN or both are zeros, so
    /// one is enough where the second is a number and zeros cannot meet wrongly, or nothing asks which zero it is.
    pub fn order_floats(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let (x, y) = (self.float_facts(a), self.float_facts(b));
        let lane = Lane::of(self.body.node(a).ty);
        let base = of_width(lane, if op == BinaryOp::Min { ["min_ps", "min_pd"] } else { ["max_ps", "max_pd"] });
        let (left, right) = (self.vectors(a), self.vectors(b));
        let zeros_meet = x.has_zero && y.has_zero && !self.is_any_zero(self.current);
        // A zero of the sign that wins may be the second operand.
        let wins = if op == BinaryOp::Min { Some(true) } else { Some(false) };
        if !y.nan && (!zeros_meet || y.zero_sign == wins) {
            return self.map2(left, right, |select, x, y| select.op(base, lane, &[x, y]));
        }
        if !x.nan && (!zeros_meet || x.zero_sign == wins) {
            return self.map2(left, right, |select, x, y| select.op(base, lane, &[y, x]));
        }
        self.map2(left, right, |select, first, second| {
            let mut result = select.op(base, lane, &[first, second]);
            if zeros_meet {
                let other = select.op(base, lane, &[second, first]);
                let join = if op == BinaryOp::Min { ["or_ps", "or_pd"] } else { ["and_ps", "and_pd"] };
                result = select.op(of_width(lane, join), lane, &[result, other]);
            }
            for (is_nan, own, other) in [(x.nan && zeros_meet, first, second), (y.nan, second, first)] {
                if is_nan {
                    let mask = select.unordered(lane, own);
                    result = select.blend(lane, mask, other, result);
                }
            }
            result
        })
    }

    /// What a float can be, as far as its order matters.
    fn float_facts(&self, id: ValueId) -> FloatFacts {
        let (mut facts, zero) = match self.range(id) {
            Range::Float { lo, hi, nan } => {
                (FloatFacts { nan, has_zero: lo <= 0.0 && hi >= 0.0, zero_sign: None }, lo == 0.0 && hi == 0.0)
            }
            Range::Int { .. } | Range::Bool { .. } => {
                (FloatFacts { nan: true, has_zero: true, zero_sign: None }, false)
            }
        };
        if let windrow_dsl::ir::Op::Constant(constant) = self.body.node(id).op
            && zero
        {
            facts.zero_sign = constant.as_float().map(f64::is_sign_negative);
        }
        facts
    }

    /// The mask of NaNs.
    pub fn unordered(&mut self, lane: Lane, a: VectorId) -> VectorId {
        self.compare_floats(FloatComparison::Unordered, lane, a, a)
    }

    /// The mask of a comparison of floats.
    pub fn compare_floats(&mut self, order: FloatComparison, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        // SSE has an instruction for each; AVX has one, with the predicate as a constant.
        match self.target {
            X86::Sse41 => self.op_of((order.instruction(), of_width(lane, ["_ps", "_pd"])), lane, &[a, b]),
            X86::Avx2 | X86::Vnni => self.op_n(of_width(lane, ["cmp_ps", "cmp_pd"]), order.predicate(), lane, &[a, b]),
            X86::Avx512 => {
                let predicate = self.float_predicate(order, lane, a, b);
                self.spread_predicate(lane, predicate)
            }
        }
    }

    /// a·b + c with one rounding, lane by lane.
    pub fn mul_add_lanes(&mut self, a: VectorId, b: VectorId, c: VectorId) -> VectorId {
        let nested = |name: &'static str, args: Vec<Arg>| Arg::Call(Box::new(Call::new(name, args)));
        let element = |id: VectorId, index: u32| {
            let whole = Arg::Whole(id, Lane::F32);
            let moved = Call::new("_mm_shuffle_ps", vec![whole.clone(), whole]).with(index);
            nested("_mm_cvtss_f32", vec![Arg::Call(Box::new(moved))])
        };
        let sums = (0..4).map(|index| {
            let operands = [a, b, c].map(|id| element(id, index));
            nested("::windrow::__rt::scalar::mul_add", operands.to_vec())
        });
        let name = self.name();
        self.program.call(Lane::F32, &name, Call::new("_mm_setr_ps", sums.collect()))
    }

    /// 32-bit integers divided as f64: both are exact, and the quotient errs by less than its distance from the next
    /// integer. A divisor of zero gives anything, and MIN / −1 wraps.
    pub fn quotient(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        let [(a_low, a_high), (b_low, b_high)] = [a, b].map(|side| {
            let [low, high] = self.doubles(lane, side);
            (low, high)
        });
        let halves = [(a_low, b_low), (a_high, b_high)].map(|(a, b)| {
            let quotient = self.op("div_pd", Lane::F64, &[a, b]);
            self.integers(lane, quotient)
        });
        match self.target {
            X86::Sse41 => self.op("unpacklo_epi64", lane, &halves),
            X86::Avx2 | X86::Vnni => self.op("set_m128i", lane, &[halves[1], halves[0]]),
            X86::Avx512 => self.call(lane, avx512::joined_halves(halves)),
        }
    }

    /// The lower and the upper half of a vector of 32-bit integers as f64.
    fn doubles(&mut self, lane: Lane, a: VectorId) -> [VectorId; 2] {
        let mut signed = a;
        if !lane.is_signed() {
            // Moved down to the signed integers, and up again as floats.
            let sign = self.splat_int(1 << 31, Lane::U32);
            signed = self.op("xor_si", Lane::I32, &[a, sign]);
        }
        let halves = match self.target {
            X86::Sse41 => {
                let high = self.op("unpackhi_epi64", Lane::I32, &[signed, signed]);
                [signed, high]
            }
            X86::Avx2 | X86::Vnni => {
                let low = self.op("castsi256_si128", Lane::I32, &[signed]);
                let high = self.op_n("extracti128_si256", 1, Lane::I32, &[signed]);
                [low, high]
            }
            X86::Avx512 => return self.doubles_by_halves(lane, a),
        };
        let floats = halves.map(|half| self.op_as("cvtepi32_pd", Lane::I32, Lane::F64, &[half]));
        if lane.is_signed() {
            return floats;
        }
        let offset = self.splat_text("2147483648.0f64", Lane::F64, "n_2p31");
        floats.map(|float| self.op("add_pd", Lane::F64, &[float, offset]))
    }

    /// f64 truncated to 32-bit integers, half a vector.
    fn integers(&mut self, lane: Lane, float: VectorId) -> VectorId {
        if lane.is_signed() {
            return self.op_as("cvttpd_epi32", Lane::F64, lane, &[float]);
        }
        if self.target == X86::Avx512 {
            return self.op_as("cvttpd_epu32", Lane::F64, lane, &[float]);
        }
        let offset = self.splat_text("2147483648.0f64", Lane::F64, "n_2p31");
        let whole = self.op_n("round_pd", TOWARD_ZERO, Lane::F64, &[float]);
        let moved = self.op("sub_pd", Lane::F64, &[whole, offset]);
        let signed = self.op_as("cvttpd_epi32", Lane::F64, Lane::I32, &[moved]);
        let name = self.name();
        let sign = self.program.call_named(
            Lane::U32,
            "sign",
            Call::new("_mm_set1_epi32", vec![Arg::Text("i32::MIN".to_owned())]),
        );
        let args = vec![Arg::Whole(signed, Lane::U32), Arg::Whole(sign, Lane::U32)];
        self.program.call(lane, &name, Call::new("_mm_xor_si128", args))
    }
}

/// The name for floats of 32 bits or of 64.
pub fn of_width(lane: Lane, [single, double]: [&'static str; 2]) -> &'static str {
    if lane == Lane::F64 { double } else { single }
}

#[derive(Clone, Copy)]
struct FloatFacts {
    nan: bool,
    has_zero: bool,
    /// Of a constant zero: whether it is negative.
    zero_sign: Option<bool>,
}
