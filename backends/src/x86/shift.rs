//! Shifts: by a constant, by a uniform word, and by the element's own amount.

use super::{X86, long};
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::Range;
use windrow_dsl::ir::{BinaryOp, Type, ValueId};

/// Which way, and what comes in from the left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    Left,
    Zeros,
    Signs,
}

/// By how much.
#[derive(Clone, Copy)]
enum Amount<'a> {
    Constant(u32),
    /// The same in all lanes: a u32 expression.
    Word(&'a str),
    /// One a lane, as wide as the lane.
    Lanes(VectorId),
}

/// A rounding shift by a constant.
#[derive(Clone, Copy)]
enum Rounded {
    /// Of signed 16 bits: half of 2^16 / 2^n times the value, rounded as `mulhrs` does.
    Product,
    /// Where there is room for it, half of 2^n is added first.
    Bias,
}

impl Rounded {
    fn apply(self, select: &mut Select<'_, X86>, lane: Lane, a: VectorId, n: u32) -> VectorId {
        match self {
            Rounded::Product => {
                let factor = select.splat_int(1 << (15 - n), Lane::I16);
                select.op("mulhrs_epi16", lane, &[a, factor])
            }
            Rounded::Bias => {
                let bias = select.splat_int(1 << (n - 1), lane);
                let raised = select.sized("add", lane, &[a, bias]);
                let right = if lane.is_signed() { Shift::Signs } else { Shift::Zeros };
                select.shifted(right, lane, raised, Amount::Constant(n))
            }
        }
    }
}

impl Select<'_, X86> {
    /// A shift of a value's vectors.
    pub fn shift(&mut self, op: BinaryOp, ty: Type, a: ValueId, amount: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(ty);
        let vectors = self.vectors(a);
        if let Some(n) = self.constant(amount) {
            let n = if op == BinaryOp::Shl(Wrap) { n & (i128::from(lane.bits()) - 1) } else { n };
            // An amount out of range belongs to a side that is not taken.
            let Some(n) = u32::try_from(n).ok().filter(|n| (1..lane.bits()).contains(n)) else { return vectors };
            let rounded = if op == BinaryOp::RoundingShr { self.rounding_of(ty, a, n) } else { None };
            let shift = |select: &mut Self, a| match rounded {
                Some(rounded) => rounded.apply(select, lane, a, n),
                None => select.shift_by(op, lane, a, Amount::Constant(n)),
            };
            return match self.in_memory(a) {
                Some(vectors) => {
                    let shifted = self.map(vectors, shift);
                    self.keep_in_memory(shifted, lane)
                }
                None => self.map(vectors, shift),
            };
        }
        if let Some(word) = self.word(amount) {
            let mask = if op == BinaryOp::Shl(Wrap) { format!(" & {}", lane.bits() - 1) } else { String::new() };
            let word = format!("({word}{mask})");
            return self.map(vectors, |select, a| select.shift_by(op, lane, a, Amount::Word(&word)));
        }
        let amounts = self.vectors(amount);
        self.map2(vectors, amounts, |select, a, n| select.shift_by(op, lane, a, Amount::Lanes(n)))
    }

    /// How a rounding shift of a value's vectors takes fewer instructions than in general.
    fn rounding_of(&self, ty: Type, a: ValueId, n: u32) -> Option<Rounded> {
        let Range::Int { lo, hi } = self.range(a) else { return None };
        let (_, greatest) = ty.limits();
        match ty {
            Type::I16 => Some(Rounded::Product),
            Type::U16 if lo >= 0 && hi <= Type::I16.limits().1 => Some(Rounded::Product),
            _ => (hi + (1 << (n - 1)) <= greatest).then_some(Rounded::Bias),
        }
    }

    /// A shift of a vector by a constant.
    pub fn shifted_by(&mut self, op: BinaryOp, lane: Lane, a: VectorId, by: u32) -> VectorId {
        self.shift_by(op, lane, a, Amount::Constant(by))
    }

    fn shift_by(&mut self, op: BinaryOp, lane: Lane, a: VectorId, amount: Amount<'_>) -> VectorId {
        let right = if lane.is_signed() { Shift::Signs } else { Shift::Zeros };
        match op {
            BinaryOp::Shr => self.shifted(right, lane, a, amount),
            BinaryOp::RoundingShr => {
                let whole = self.shifted(right, lane, a, amount);
                let rounding = self.rounding_bit(lane, a, amount);
                self.sized("add", lane, &[whole, rounding])
            }
            _ => self.shifted(Shift::Left, lane, a, amount),
        }
    }

    /// The highest bit that is shifted out; 0 where none is.
    fn rounding_bit(&mut self, lane: Lane, a: VectorId, amount: Amount<'_>) -> VectorId {
        let one = self.splat_int(1, lane);
        let bit = match amount {
            Amount::Constant(1) => a,
            Amount::Constant(n) => self.sized_n("srli", n - 1, lane_of_shifts(lane), &[a]),
            // An amount of −1 is beyond every width, and shifts all bits out.
            Amount::Word(word) => {
                let count = self.count_of(&format!("{word}.wrapping_sub(1)"), "bit");
                self.sized("srl", lane_of_shifts(lane), &[a, count])
            }
            Amount::Lanes(n) => {
                let (ones, zero) = (self.ones(), self.zero());
                let less = self.sized("add", lane, &[n, ones]);
                let bit = self.shifted(Shift::Zeros, lane, a, Amount::Lanes(less));
                let is_zero = self.is_equal(lane, n, zero);
                self.op("andnot_si", lane, &[is_zero, bit])
            }
        };
        self.op("and_si", lane, &[bit, one])
    }

    fn shifted(&mut self, shift: Shift, lane: Lane, a: VectorId, amount: Amount<'_>) -> VectorId {
        let (by_vector, by_constant, by_lanes) = match shift {
            Shift::Left => ("sll", "slli", "sllv"),
            Shift::Zeros => ("srl", "srli", "srlv"),
            Shift::Signs => ("sra", "srai", "srav"),
        };
        match amount {
            _ if shift == Shift::Signs && lane.bits() == 64 && self.target != X86::Avx512 => {
                self.shifted_signs(lane, a, amount)
            }
            Amount::Lanes(n) if lane.bits() >= self.target.narrowest_by_lanes() => self.sized(by_lanes, lane, &[a, n]),
            Amount::Lanes(n) => self.shifted_in_stages(shift, lane, a, n),
            Amount::Constant(_) | Amount::Word(_) if lane.bits() == 8 => self.shifted_bytes(shift, lane, a, amount),
            Amount::Constant(n) => self.sized_n(by_constant, n, lane, &[a]),
            Amount::Word(word) => {
                let count = self.count_of(word, "count");
                self.sized(by_vector, lane, &[a, count])
            }
        }
    }

    /// An arithmetic shift by a logical one.
    fn shifted_signs(&mut self, lane: Lane, a: VectorId, amount: Amount<'_>) -> VectorId {
        let moved = self.shifted(Shift::Zeros, lane, a, amount);
        let sign = match amount {
            Amount::Constant(n) => self.splat_int(long::sign_bit(lane, n), lane),
            Amount::Word(_) | Amount::Lanes(_) => {
                let (least, _) = lane.ty().limits();
                let least = self.splat_int(least, lane);
                self.shifted(Shift::Zeros, lane, least, amount)
            }
        };
        long::signs(self, lane, moved, sign)
    }

    /// Bytes are shifted as halves of 16 bits, and what came from the neighbour is cut off.
    fn shifted_bytes(&mut self, shift: Shift, lane: Lane, a: VectorId, amount: Amount<'_>) -> VectorId {
        let wide = Lane::U16;
        let direction = if shift == Shift::Left { Shift::Left } else { Shift::Zeros };
        let moved = self.shifted(direction, wide, a, amount);
        let method = if shift == Shift::Left { "shl" } else { "shr" };
        let kept = self.byte_of("255", method, amount);
        let kept = self.op("and_si", lane, &[moved, kept]);
        if shift != Shift::Signs {
            return kept;
        }
        // The sign bit is where it was moved to: inverted and subtracted, it fills the bits above it.
        let sign = self.byte_of("128", "shr", amount);
        let inverted = self.op("xor_si", lane, &[kept, sign]);
        self.sized("sub", lane, &[inverted, sign])
    }

    /// A byte shifted by a constant or a word, in all lanes.
    fn byte_of(&mut self, byte: &str, method: &str, amount: Amount<'_>) -> VectorId {
        match amount {
            Amount::Constant(n) => {
                let byte: i128 = byte.parse().unwrap_or_default();
                let moved = if method == "shl" { byte << n } else { byte >> n };
                self.splat_int(moved & 255, Lane::U8)
            }
            Amount::Word(word) => self.splat_text(&format!("{byte}u8.wrapping_{method}({word})"), Lane::U8, "kept"),
            Amount::Lanes(n) => n,
        }
    }

    /// A shift by 1, 2, 4, …: each where the amount has that bit.
    fn shifted_in_stages(&mut self, shift: Shift, lane: Lane, a: VectorId, n: VectorId) -> VectorId {
        let mut value = a;
        for bit in 0..lane.bits().trailing_zeros() {
            let moved = self.shifted(shift, lane, value, Amount::Constant(1 << bit));
            let single = self.splat_int(1 << bit, lane);
            let masked = self.op("and_si", lane, &[n, single]);
            let has_bit = self.is_equal(lane, masked, single);
            value = self.blend(lane, has_bit, moved, value);
        }
        value
    }

    /// A shift amount as the instructions want it: in the lowest lane of 128 bits.
    fn count_of(&mut self, word: &str, name: &str) -> VectorId {
        let call = Call::new("_mm_cvtsi32_si128", vec![Arg::Text(format!("{word} as i32"))]);
        self.program.call_named(Lane::I32, name, call)
    }
}

impl X86 {
    /// The narrowest lanes that are shifted by amounts of their own.
    fn narrowest_by_lanes(self) -> u32 {
        match self {
            X86::Sse41 => u32::MAX,
            X86::Avx2 | X86::Vnni => 32,
            X86::Avx512 => 16,
        }
    }
}

/// Bytes are shifted in lanes of 16 bits.
fn lane_of_shifts(lane: Lane) -> Lane {
    if lane.bits() == 8 { Lane::U16 } else { lane }
}
