//! Conversions between floats and integers where AVX-512 has more instructions, or predicates make them shorter.

use super::choose;
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use crate::x86::X86;
use crate::x86::convert::Rounding;
use crate::x86::float_order::FloatComparison;

impl Select<'_, X86> {
    /// Rounded, saturated, and 0 for a NaN; `beyond` where a float may be above the range, `nan` where it may be one. The
    /// instruction gives MIN for all that does not fit.
    pub fn float_to_i32_by_predicates(&mut self, beyond: bool, nan: bool, how: Rounding, a: VectorId) -> VectorId {
        let integer = match nan {
            false => self.op_as(how.to_signed(), Lane::F32, Lane::I32, &[a]),
            true => {
                let is_number = self.float_predicate(FloatComparison::Ordered, Lane::F32, a, a);
                let args = vec![Arg::Whole(is_number, Lane::PREDICATE), Arg::Whole(a, Lane::F32)];
                self.call(Lane::I32, Call::new(how.to_signed_or_zero(), args))
            }
        };
        if !beyond {
            return integer;
        }
        let above = self.splat_text("2147483648.0f32", Lane::F32, "n_2p31");
        let is_above = self.float_predicate(FloatComparison::GreaterOrEqual, Lane::F32, a, above);
        let most = self.splat_int(i128::from(i32::MAX), Lane::I32);
        self.call(Lane::I32, choose(Lane::I32, Arg::Whole(is_above, Lane::PREDICATE), most, integer))
    }

    /// The lower and the upper half of a vector of 32-bit integers as f64.
    pub fn doubles_by_halves(&mut self, lane: Lane, a: VectorId) -> [VectorId; 2] {
        let low = self.call(lane, Call::new("_mm512_castsi512_si256", vec![Arg::Whole(a, Lane::U32)]));
        let high = Call::new("_mm512_extracti64x4_epi64", vec![Arg::Whole(a, Lane::U32)]).with(1);
        let high = self.call(lane, high);
        let base = if lane.is_signed() { "cvtepi32_pd" } else { "cvtepu32_pd" };
        [low, high].map(|half| self.op_as(base, lane, Lane::F64, &[half]))
    }
}
