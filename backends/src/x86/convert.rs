//! Conversions, one doubling or halving at a time.
//!
//! Widening interleaves a vector with zeros or signs, and narrowing packs two vectors: both stay inside blocks, so that one
//! undoes the other. Packing saturates from signed lanes; a value that may not fit is cut off before.

use super::X86;
use super::float_order::FloatComparison;
use super::{long, table};
use crate::vector::Target;
use crate::vector::memory::LaneOrder;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;
use std::cmp::Ordering;
use windrow_dsl::ir::Range;
use windrow_dsl::ir::{BinaryOp, CastMode, Node, Type, ValueId};

/// The greatest float below 2^31.
const GREATEST_I32: f64 = 2147483520.0;

/// How a conversion of a float to an integer rounds.
#[derive(Clone, Copy, Debug)]
pub enum Rounding {
    TowardZero,
    /// Halves to the even one, as floats are computed.
    ToNearest,
}

impl Rounding {
    /// The instruction that gives signed integers.
    pub fn to_signed(self) -> &'static str {
        match self {
            Rounding::TowardZero => "cvttps_epi32",
            Rounding::ToNearest => "cvtps_epi32",
        }
    }

    /// The same where a predicate says so, and 0 elsewhere.
    pub fn to_signed_or_zero(self) -> &'static str {
        match self {
            Rounding::TowardZero => "_mm512_maskz_cvttps_epi32",
            Rounding::ToNearest => "_mm512_maskz_cvtps_epi32",
        }
    }

    fn to_unsigned(self) -> &'static str {
        match self {
            Rounding::TowardZero => "cvttps_epu32",
            Rounding::ToNearest => "cvtps_epu32",
        }
    }
}

impl Select<'_, X86> {
    /// A conversion between types other than truth values.
    pub fn convert(&mut self, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId> {
        let (from, to, value) = (self.body.node(a).ty, node.ty, a);
        if let Some(tap) = self.tap_of_two(a)
            && from.is_integer()
            && to.is_integer()
            && to.bits() > from.bits()
            && to.bits() <= 32
        {
            let (vectors, place) = self.around(tap, a, LaneOrder::Runs);
            return self.map(vectors, |select, a| select.widen_every_second(a, Lane::of(from), place));
        }
        let vectors = self.vectors(a);
        // Ask for the range only where it matters: computing it is expensive.
        match (from, to) {
            (Type::F64, Type::F32) => self.singles_of_doubles(vectors),
            (Type::F64, _) => {
                let range = self.range(value);
                self.integers_of_doubles(range, to, vectors)
            }
            (_, Type::F64) => self.doubles_of(from, vectors),
            (Type::F32, _) => {
                let range = self.range(value);
                // Rounding leaves what is beyond an integer's range there.
                let (vectors, how) = match self.rounded(a) {
                    Some(float) => (self.vectors(float), Rounding::ToNearest),
                    None => (vectors, Rounding::TowardZero),
                };
                match to {
                    Type::U32 => self.map(vectors, |select, a| select.float_to_u32(range, how, a)),
                    _ => self.map(vectors, |select, a| select.float_to_i32(range, how, a)),
                }
            }
            (Type::I32, Type::F32) => self.map(vectors, |select, a| select.float_of_i32(a)),
            (_, Type::F32) => {
                let range = self.range(value);
                self.map(vectors, |select, a| select.float_of_u32(range, a))
            }
            _ => match to.bits().cmp(&from.bits()) {
                Ordering::Equal => vectors,
                Ordering::Greater => vectors.into_iter().flat_map(|a| self.widen(a, Lane::of(from))).collect(),
                Ordering::Less => self.narrow(mode, to, value, &vectors),
            },
        }
    }

    /// Every second lane, the first of each two or the other one, in the place of both.
    fn widen_every_second(&mut self, a: VectorId, lane: Lane, place: usize) -> VectorId {
        let (wide, bits) = (lane.wide(), lane.bits());
        match (place, lane.is_signed()) {
            (0, false) => {
                let mask = self.splat_int((1 << bits) - 1, wide);
                self.op("and_si", wide, &[a, mask])
            }
            (0, true) => {
                let upper = self.sized_n("slli", bits, wide, &[a]);
                self.sized_n("srai", bits, wide, &[upper])
            }
            (_, false) => self.sized_n("srli", bits, wide, &[a]),
            (_, true) => self.sized_n("srai", bits, wide, &[a]),
        }
    }

    fn narrow(&mut self, mode: CastMode, to: Type, value: ValueId, vectors: &[VectorId]) -> Vec<VectorId> {
        let from = self.body.node(value).ty;
        let (wide, lane) = (Lane::of(from), Lane::of(to));
        if wide.bits() == 64 {
            return self.narrow_long(mode, from, to, value, vectors);
        }
        let within = |(least, most): (i128, i128)| matches!(self.range(value), Range::Int { lo, hi } if lo >= least && hi <= most);
        // What the packing reads as signed must be no more than signed lanes hold.
        let signed = if wide.bits() == 16 { Type::I16 } else { Type::I32 }.limits();
        let bound = match mode {
            CastMode::Value => None,
            CastMode::Saturating if from.is_signed() || within(signed) => None,
            CastMode::Saturating => table::binary(BinaryOp::Min, from.unsigned()).map(|least| (least, to.limits().1)),
            CastMode::Wrapping if within(to.limits()) => None,
            CastMode::Wrapping => Some(("and_si", (1 << lane.bits()) - 1)),
        };
        // Cut off, a value is one of the unsigned lanes, whatever its type.
        let packed = if bound.is_some() { lane.unsigned() } else { lane };
        let lying = self.in_memory(value);
        let pairs = lying.as_deref().unwrap_or(vectors).chunks(2);
        let narrowed = pairs.map(|pair| match bound {
            None => self.pack(wide, packed, pair),
            Some((base, most)) => {
                let most = self.splat_int(most, wide);
                let pair: Vec<VectorId> = pair.iter().map(|&a| self.op(base, wide, &[a, most])).collect();
                self.pack(wide, packed, &pair)
            }
        });
        let narrowed: Vec<VectorId> = narrowed.collect();
        if lying.is_none() {
            return narrowed;
        }
        // Packing takes a block of the one and a block of the other in turn.
        let whole = self.map(narrowed, |select, a| match select.target {
            X86::Avx512 => select.whole_halves(lane, a),
            _ => select.op_n("permute4x64_epi64", 0b11_01_10_00, lane, &[a]),
        });
        self.keep_in_memory(whole, lane)
    }

    /// Pairs of vectors of 64 bits as one of 32.
    fn narrow_long(
        &mut self,
        mode: CastMode,
        from: Type,
        to: Type,
        value: ValueId,
        vectors: &[VectorId],
    ) -> Vec<VectorId> {
        let (least, most) = to.limits();
        let fits = matches!(self.range(value), Range::Int { lo, hi } if lo >= least && hi <= most);
        let is_bounded = mode == CastMode::Saturating && !fits;
        let bounds = is_bounded.then(|| {
            let least = from.is_signed().then(|| self.splat_int(least, Lane::of(from)));
            (least, self.splat_int(most, Lane::of(from)))
        });
        let bounded = vectors.iter().map(|&a| match bounds {
            None => a,
            Some((least, most)) => {
                let raised = least.map_or(a, |least| self.bounded(BinaryOp::Max, from, a, least));
                self.bounded(BinaryOp::Min, from, raised, most)
            }
        });
        let bounded: Vec<VectorId> = bounded.collect();
        let pairs = bounded.chunks(2);
        pairs.map(|pair| long::lower_halves(self, pair[0], pair[pair.len() - 1])).collect()
    }

    /// The greater or the lesser of two vectors of a type; refused where the machine has neither.
    fn bounded(&mut self, op: BinaryOp, ty: Type, a: VectorId, bound: VectorId) -> VectorId {
        let bounded = X86::binary_vector(self, op, ty, a, bound);
        bounded.unwrap_or_else(|| self.refuse(&format!("{op:?}"), ty, a))
    }

    /// Rounded, saturated, and 0 for a NaN. The instruction gives MIN for all that does not fit.
    fn float_to_i32(&mut self, range: Range, how: Rounding, a: VectorId) -> VectorId {
        let (_, hi, nan) = float_bounds(range);
        if self.target == X86::Avx512 {
            return self.float_to_i32_by_predicates(hi > GREATEST_I32, nan, how, a);
        }
        let mut result = self.op_as(how.to_signed(), Lane::F32, Lane::I32, &[a]);
        if hi > GREATEST_I32 {
            let beyond = self.splat_text("2147483648.0f32", Lane::F32, "n_2p31");
            let mask = self.compare_floats(FloatComparison::GreaterOrEqual, Lane::F32, a, beyond);
            // MIN, inverted, is MAX.
            result = self.op("xor_si", Lane::I32, &[result, mask]);
        }
        // Below the range, MIN is right.
        if nan {
            let is_number = self.compare_floats(FloatComparison::Ordered, Lane::F32, a, a);
            result = self.op("and_si", Lane::I32, &[result, is_number]);
        }
        result
    }

    fn float_to_u32(&mut self, range: Range, how: Rounding, a: VectorId) -> VectorId {
        let (lo, hi, nan) = float_bounds(range);
        let mut a = a;
        if lo < 0.0 || nan {
            // The second operand, where the first is a NaN.
            let zero = self.splat_text("0.0f32", Lane::F32, "nothing");
            a = self.op("max_ps", Lane::F32, &[a, zero]);
        }
        if self.target == X86::Avx512 {
            // MAX for all that is beyond.
            return self.op_as(how.to_unsigned(), Lane::F32, Lane::U32, &[a]);
        }
        if hi <= GREATEST_I32 {
            return self.op_as(how.to_signed(), Lane::F32, Lane::U32, &[a]);
        }
        // From 2^31 on: moved down by it, converted, and moved up as an integer.
        let (half, whole) = (
            self.splat_text("2147483648.0f32", Lane::F32, "n_2p31"),
            self.splat_text("4294967296.0f32", Lane::F32, "n_2p32"),
        );
        let is_upper = self.compare_floats(FloatComparison::GreaterOrEqual, Lane::F32, a, half);
        let down = self.op("and_ps", Lane::F32, &[is_upper, half]);
        let moved = self.op("sub_ps", Lane::F32, &[a, down]);
        let integer = self.op_as(how.to_signed(), Lane::F32, Lane::U32, &[moved]);
        let up = self.sized_n("slli", 31, Lane::U32, &[is_upper]);
        let integer = self.op("xor_si", Lane::U32, &[integer, up]);
        let beyond = self.compare_floats(FloatComparison::GreaterOrEqual, Lane::F32, a, whole);
        self.op("or_si", Lane::U32, &[integer, beyond])
    }

    /// Rounded to nearest even.
    fn float_of_u32(&mut self, range: Range, a: VectorId) -> VectorId {
        if self.target == X86::Avx512 {
            return self.op_as("cvtepu32_ps", Lane::U32, Lane::F32, &[a]);
        }
        if matches!(range, Range::Int { lo, hi } if lo >= Type::I32.limits().0 && hi <= Type::I32.limits().1) {
            return self.float_of_i32(a);
        }
        // Both halves are exact, and so is the product: their sum is rounded once.
        let (mask, scale) = (self.splat_int(65535, Lane::U32), self.splat_text("65536.0f32", Lane::F32, "n_65536p0"));
        let (low, high) = (self.op("and_si", Lane::U32, &[a, mask]), self.sized_n("srli", 16, Lane::U32, &[a]));
        let [low, high] = [low, high].map(|half| self.op_as("cvtepi32_ps", Lane::U32, Lane::F32, &[half]));
        let high = self.op("mul_ps", Lane::F32, &[high, scale]);
        self.op("add_ps", Lane::F32, &[high, low])
    }

    /// The instruction's own conversion.
    fn float_of_i32(&mut self, a: VectorId) -> VectorId {
        self.op_as("cvtepi32_ps", Lane::I32, Lane::F32, &[a])
    }
}

/// The least and the greatest number of a range, and whether a NaN is in it.
pub fn float_bounds(range: Range) -> (f64, f64, bool) {
    match range {
        Range::Float { lo, hi, nan } => (lo, hi, nan),
        Range::Int { .. } | Range::Bool { .. } => (f64::NEG_INFINITY, f64::INFINITY, true),
    }
}
