//! Integer operations that take a few instructions: those that no single entry of [`super::table`] covers.

use super::{X86, avx512};
use crate::vector::expansions::Operation;
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
            UnaryOp::CountOnes => self.count_ones(lane, a),
            UnaryOp::LeadingZeros => self.leading_zeros(lane, a),
            UnaryOp::FromBits | UnaryOp::ToBits => a,
            UnaryOp::FromHalf => self.floats_of_halves(a),
            _ => return self.expanded(Operation::Unary(op), ty, [a; 3]),
        })
    }

    /// An operation on two vectors of integers that has no row for its type; none where it has no sequence either.
    pub fn integer_binary(&mut self, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> Option<VectorId> {
        let lane = Lane::of(ty);
        Some(match op {
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
            _ => return self.expanded(Operation::Binary(op), ty, [a, b, a]),
        })
    }

    /// MAX where a is not negative, MIN where it is.
    fn bound_by_sign(&mut self, ty: Type, a: VectorId) -> VectorId {
        let lane = Lane::of(ty);
        let (sign, most) = (self.sized_n("srai", lane.bits() - 1, lane, &[a]), self.splat_int(ty.limits().1, lane));
        self.op("xor_si", lane, &[sign, most])
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
        (self.upper_words(lane, even, odd_low), self.upper_words(lane, even_high, odd))
    }

    /// The lower words of lanes of 64 bits from one vector, the upper ones from another.
    fn upper_words(&mut self, lane: Lane, low: VectorId, high: VectorId) -> VectorId {
        match self.target {
            X86::Avx512 => self.call(lane, avx512::odd_words(low, high)),
            _ => self.op_n("blend_epi16", 0xcc, lane, &[low, high]),
        }
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
            _ => {
                let (low, high) = self.word_products(lane, a, b);
                let sign = self.sized_n("srai", 31, lane, &[low]);
                let fits = self.is_equal(lane, sign, high);
                let differ = self.op("xor_si", lane, &[a, b]);
                let bound = self.bound_by_sign(Type::I32, differ);
                self.blend(lane, fits, low, bound)
            }
        }
    }

    /// The lower half of a product, or all ones where the upper half is not zero.
    fn all_ones_unless_zero(&mut self, lane: Lane, low: VectorId, high: VectorId) -> VectorId {
        let zero = self.zero();
        let fits = self.is_equal(lane, high, zero);
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
            let (mask, full) = (self.splat_int((1 << width) - 1, wide), self.splat_int(i128::from(width), wide));
            let (high, low) = (self.sized_n("srli", width, wide, &[counts]), self.op("and_si", wide, &[counts, mask]));
            counts = self.sum_where_full(wide, high, low, full);
            width *= 2;
        }
        counts
    }

    /// `high`, and `low` too where `high` is `full`.
    fn sum_where_full(&mut self, lane: Lane, high: VectorId, low: VectorId, full: VectorId) -> VectorId {
        let is_full = self.is_equal(lane, high, full);
        let low = self.op("and_si", lane, &[low, is_full]);
        self.sized("add", lane, &[high, low])
    }
}
