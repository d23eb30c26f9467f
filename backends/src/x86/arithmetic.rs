//! Integer operations that take a few instructions: those that no single entry of [`super::table`] covers.

use super::X86;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Type, UnaryOp};

impl Select<'_, X86> {
    /// An operation on a vector of integers that has no row for its type; none where it has no sequence either.
    pub fn integer_unary(&mut self, op: UnaryOp, ty: Type, a: VectorId) -> Option<VectorId> {
        let lane = Lane::of(ty);
        Some(match op {
            UnaryOp::Not => self.inverse(a),
            UnaryOp::Neg(Never | Wrap) => {
                let zero = self.zero();
                self.sized("sub", lane, &[zero, a])
            }
            UnaryOp::Neg(Saturate) => self.saturating_neg(ty, a),
            UnaryOp::Abs(Saturate) if lane.is_signed() => {
                // MIN is its own magnitude: 2^(w−1), one more than MAX.
                let (magnitude, most) = (self.sized("abs", lane, &[a]), self.splat_int(ty.limits().1, lane));
                self.sized_unsigned("min", lane, &[magnitude, most])
            }
            UnaryOp::CountOnes => self.count_ones(lane, a),
            UnaryOp::LeadingZeros => self.leading_zeros(lane, a),
            UnaryOp::TrailingZeros => {
                // The bits below the lowest that is set: ~a & (a − 1).
                let ones = self.ones();
                let below = self.sized("add", lane, &[a, ones]);
                let below = self.op("andnot_si", lane, &[a, below]);
                self.count_ones(lane, below)
            }
            // Unsigned values are their own magnitude.
            UnaryOp::Abs(_) | UnaryOp::UnsignedAbs if !lane.is_signed() => a,
            UnaryOp::FromBits | UnaryOp::ToBits => a,
            // The others have rows for all their types, or were decomposed.
            UnaryOp::Abs(_)
            | UnaryOp::UnsignedAbs
            | UnaryOp::Signum
            | UnaryOp::Sqrt
            | UnaryOp::Isqrt
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::RoundTiesEven
            | UnaryOp::IsNan => return None,
        })
    }

    fn saturating_neg(&mut self, ty: Type, a: VectorId) -> VectorId {
        let (lane, zero) = (Lane::of(ty), self.zero());
        match ty {
            Type::U8 | Type::U16 | Type::U32 => zero,
            Type::I8 | Type::I16 => self.sized("subs", lane, &[zero, a]),
            _ => {
                // MIN stays as it is: its mask, −1, makes it MAX.
                let (negated, least) = (self.sized("sub", lane, &[zero, a]), self.splat_int(ty.limits().0, lane));
                let is_least = self.sized("cmpeq", lane, &[a, least]);
                self.sized("add", lane, &[negated, is_least])
            }
        }
    }

    /// An operation on two vectors of integers that has no row for its type; none where it has no sequence either.
    pub fn integer_binary(&mut self, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> Option<VectorId> {
        let lane = Lane::of(ty);
        Some(match op {
            BinaryOp::AbsDiff => {
                let [least, most] = ["min", "max"].map(|stem| match lane.is_signed() {
                    true => self.sized(stem, lane, &[a, b]),
                    false => self.sized_unsigned(stem, lane, &[a, b]),
                });
                self.sized("sub", lane.unsigned(), &[most, least])
            }
            BinaryOp::HalvingAdd => self.halving_add(lane, a, b),
            BinaryOp::RoundingHalvingAdd => self.rounding_halving_add(lane, a, b),
            BinaryOp::Add(Saturate) | BinaryOp::Sub(Saturate) => self.saturating_sum(op, ty, a, b),
            BinaryOp::Mul(Never | Wrap) if lane.bits() == 8 => self.byte_product(lane, a, b),
            BinaryOp::MulHigh if lane.bits() == 8 => {
                let wide = self.wide_product(lane, a, b);
                let shift = if lane.is_signed() { "srai" } else { "srli" };
                let high = wide.map(|product| self.sized_n(shift, 8, lane.wide(), &[product]));
                self.pack(lane.wide(), lane, &high)
            }
            BinaryOp::MulHigh => self.word_products(lane, a, b).1,
            BinaryOp::Mul(Saturate) => self.saturating_product(ty, a, b),
            BinaryOp::Div => self.quotient(lane, a, b),
            // The others have rows for all their types, are shifts, or were decomposed.
            BinaryOp::Add(Never | Wrap)
            | BinaryOp::Mul(Never | Wrap)
            | BinaryOp::Sub(Never | Wrap)
            | BinaryOp::Rem
            | BinaryOp::Shl(_)
            | BinaryOp::Shr
            | BinaryOp::RoundingShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => return None,
        })
    }

    /// ⌊(a + b) / 2⌋: what both have, and half of what one has.
    fn halving_add(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        if lane.bits() == 8 {
            // The mean rounded up, less what was rounded.
            let rounded = self.rounding_halving_add(lane, a, b);
            let (differ, one) = (self.op("xor_si", lane, &[a, b]), self.splat_int(1, lane));
            let odd = self.op("and_si", lane, &[differ, one]);
            return self.sized("sub", lane, &[rounded, odd]);
        }
        let (both, differ) = (self.op("and_si", lane, &[a, b]), self.op("xor_si", lane, &[a, b]));
        let half = self.sized_n(if lane.is_signed() { "srai" } else { "srli" }, 1, lane, &[differ]);
        self.sized("add", lane, &[both, half])
    }

    /// ⌊(a + b + 1) / 2⌋.
    fn rounding_halving_add(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        if lane.bits() == 32 {
            let (either, differ) = (self.op("or_si", lane, &[a, b]), self.op("xor_si", lane, &[a, b]));
            let half = self.sized_n(if lane.is_signed() { "srai" } else { "srli" }, 1, lane, &[differ]);
            return self.sized("sub", lane, &[either, half]);
        }
        if !lane.is_signed() {
            return self.sized_unsigned("avg", lane, &[a, b]);
        }
        // With the sign bits inverted, signed values have the order and the distances of unsigned ones.
        let sign = self.splat_int(-1 << (lane.bits() - 1), lane);
        let [a, b] = [a, b].map(|side| self.op("xor_si", lane, &[side, sign]));
        let mean = self.sized_unsigned("avg", lane, &[a, b]);
        self.op("xor_si", lane, &[mean, sign])
    }

    /// Saturating sums and differences of 32 bits.
    fn saturating_sum(&mut self, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId {
        let (lane, adds) = (Lane::of(ty), op == BinaryOp::Add(Saturate));
        if !lane.is_signed() {
            return if adds {
                // What b may add at most is what a lacks.
                let room = self.inverse(a);
                let least = self.op("min_epu32", lane, &[room, b]);
                self.sized("add", lane, &[a, least])
            } else {
                let most = self.op("max_epu32", lane, &[a, b]);
                self.sized("sub", lane, &[most, b])
            };
        }
        let result = self.sized(if adds { "add" } else { "sub" }, lane, &[a, b]);
        // It overflowed where the result's sign differs from a's, and b's does so too (for a difference: b's differs from
        // a's).
        let (from_a, from_b) = (self.op("xor_si", lane, &[a, result]), if adds { result } else { a });
        let from_b = self.op("xor_si", lane, &[b, from_b]);
        let overflowed = self.op("and_si", lane, &[from_a, from_b]);
        let bound = self.bound_by_sign(ty, a);
        self.by_sign(overflowed, bound, result)
    }

    /// MAX where a is not negative, MIN where it is.
    fn bound_by_sign(&mut self, ty: Type, a: VectorId) -> VectorId {
        let lane = Lane::of(ty);
        let (sign, most) = (self.sized_n("srai", lane.bits() - 1, lane, &[a]), self.splat_int(ty.limits().1, lane));
        self.op("xor_si", lane, &[sign, most])
    }

    /// `then` where lanes of 32 bits are negative.
    fn by_sign(&mut self, condition: VectorId, then: VectorId, otherwise: VectorId) -> VectorId {
        let mask = self.sized_n("srai", 31, Lane::I32, &[condition]);
        let lane = self.program.lane(then);
        self.op("blendv_epi8", lane, &[otherwise, then, mask])
    }

    /// Products of bytes, modulo 256: those of the even bytes, and those of the odd.
    fn byte_product(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        let wide = Lane::U16;
        let even = self.op("mullo_epi16", wide, &[a, b]);
        let [a, b] = [a, b].map(|side| self.sized_n("srli", 8, wide, &[side]));
        let odd = self.op("mullo_epi16", wide, &[a, b]);
        let odd = self.sized_n("slli", 8, wide, &[odd]);
        let low = self.splat_int(255, wide);
        let even = self.op("and_si", wide, &[even, low]);
        self.op("or_si", lane, &[even, odd])
    }

    /// Products of bytes in 16 bits.
    fn wide_product(&mut self, lane: Lane, a: VectorId, b: VectorId) -> [VectorId; 2] {
        let ([a_low, a_high], [b_low, b_high]) = (self.widen(a, lane), self.widen(b, lane));
        [(a_low, b_low), (a_high, b_high)].map(|(a, b)| self.op("mullo_epi16", lane.wide(), &[a, b]))
    }

    /// The lower and the upper halves of products of 32 bits.
    fn word_products(&mut self, lane: Lane, a: VectorId, b: VectorId) -> (VectorId, VectorId) {
        let base = if lane.is_signed() { "mul_epi32" } else { "mul_epu32" };
        let even = self.op(base, lane.wide(), &[a, b]);
        let [a, b] = [a, b].map(|side| self.op_n("srli_epi64", 32, lane, &[side]));
        let odd = self.op(base, lane.wide(), &[a, b]);
        let (odd_low, even_high) =
            (self.op_n("slli_epi64", 32, lane, &[odd]), self.op_n("srli_epi64", 32, lane, &[even]));
        // Two words a lane, the upper one from the second operand.
        let low = self.op_n("blend_epi16", 0xcc, lane, &[even, odd_low]);
        let high = self.op_n("blend_epi16", 0xcc, lane, &[even_high, odd]);
        (low, high)
    }

    fn saturating_product(&mut self, ty: Type, a: VectorId, b: VectorId) -> VectorId {
        let lane = Lane::of(ty);
        match ty {
            Type::U8 => {
                let most = self.splat_int(255, Lane::U16);
                let wide =
                    self.wide_product(lane, a, b).map(|product| self.op("min_epu16", Lane::U16, &[product, most]));
                self.pack(Lane::U16, lane, &wide)
            }
            Type::I8 => {
                let wide = self.wide_product(lane, a, b);
                self.pack(Lane::I16, lane, &wide)
            }
            Type::I16 => {
                let (low, high) = (self.op("mullo_epi16", lane, &[a, b]), self.op("mulhi_epi16", lane, &[a, b]));
                let wide = self.interleave(low, high, lane, Lane::I32);
                self.pack(Lane::I32, lane, &wide)
            }
            Type::U16 => {
                let (low, high) = (self.op("mullo_epi16", lane, &[a, b]), self.op("mulhi_epu16", lane, &[a, b]));
                self.all_ones_unless_zero(lane, low, high)
            }
            Type::U32 => {
                let (low, high) = self.word_products(lane, a, b);
                self.all_ones_unless_zero(lane, low, high)
            }
            Type::I32 | Type::Bool | Type::F32 => {
                let (low, high) = self.word_products(lane, a, b);
                let sign = self.sized_n("srai", 31, lane, &[low]);
                let fits = self.sized("cmpeq", lane, &[sign, high]);
                let differ = self.op("xor_si", lane, &[a, b]);
                let bound = self.bound_by_sign(Type::I32, differ);
                self.op("blendv_epi8", lane, &[bound, low, fits])
            }
        }
    }

    /// The lower half of a product, or all ones where the upper half is not zero.
    fn all_ones_unless_zero(&mut self, lane: Lane, low: VectorId, high: VectorId) -> VectorId {
        let zero = self.zero();
        let fits = self.sized("cmpeq", lane, &[high, zero]);
        let beyond = self.inverse(fits);
        self.op("or_si", lane, &[low, beyond])
    }

    /// Bits set in each lane: those of its half bytes, looked up, then added byte by byte.
    fn count_ones(&mut self, lane: Lane, a: VectorId) -> VectorId {
        let counts = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let [low, high] = self.by_nibbles(a, counts, counts);
        let bytes = self.op("add_epi8", Lane::U8, &[low, high]);
        let ones = [(16, Lane::I8, "maddubs_epi16"), (32, Lane::I16, "madd_epi16")];
        let wanted = lane.bits();
        ones.into_iter().filter(|(width, ..)| *width <= wanted).fold(bytes, |counts, (width, narrow, base)| {
            let ones = self.splat_int(1, narrow);
            self.op(base, Lane::mask(width), &[counts, ones])
        })
    }

    /// The half bytes of each byte, the lower and the upper, looked up.
    fn by_nibbles(&mut self, a: VectorId, low: [i8; 16], high: [i8; 16]) -> [VectorId; 2] {
        let (target, name) = (self.target, self.name());
        let [low, high] = [low, high].map(|bytes| target.block_bytes(&mut self.program, bytes, &format!("{name}_of")));
        let mask = self.splat_int(15, Lane::U8);
        let below = self.op("and_si", Lane::U8, &[a, mask]);
        let above = self.sized_n("srli", 4, Lane::U16, &[a]);
        let above = self.op("and_si", Lane::U8, &[above, mask]);
        [(low, below), (high, above)].map(|(table, index)| self.op("shuffle_epi8", Lane::U8, &[table, index]))
    }

    /// Zeros above the highest bit that is set: of half bytes, then of twice as wide lanes at a time.
    fn leading_zeros(&mut self, lane: Lane, a: VectorId) -> VectorId {
        let zeros = [4, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        let [low, high] = self.by_nibbles(a, zeros, zeros);
        let four = self.splat_int(4, Lane::U8);
        let mut counts = self.sum_where_full(Lane::U8, high, low, four);
        let mut width = 8;
        while width < lane.bits() {
            let wide = Lane::mask(width * 2);
            let (mask, full) = (self.splat_int((1 << width) - 1, wide), self.splat_int(i64::from(width), wide));
            let (high, low) = (self.sized_n("srli", width, wide, &[counts]), self.op("and_si", wide, &[counts, mask]));
            counts = self.sum_where_full(wide, high, low, full);
            width *= 2;
        }
        counts
    }

    /// `high`, and `low` too where `high` is `full`.
    fn sum_where_full(&mut self, lane: Lane, high: VectorId, low: VectorId, full: VectorId) -> VectorId {
        let is_full = self.sized("cmpeq", lane, &[high, full]);
        let low = self.op("and_si", lane, &[low, is_full]);
        self.sized("add", lane, &[high, low])
    }
}
