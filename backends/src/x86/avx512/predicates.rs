//! Predicates: what comparisons give, and what chooses by them.
//!
//! A bit is a lane of what was compared. Sequences of several instructions, and truth values of another width, go through
//! vectors whose lanes have all bits alike; compilers see through the way there and back.

use crate::vector::program::{Arg, Call, Intrinsic, Lane, VectorId};
use crate::vector::select::Select;
use crate::vector::target::word_of_mask;
use crate::x86::X86;
use crate::x86::float::of_width;
use crate::x86::float_order::{FloatComparison, order_of};
use windrow_dsl::ir::{BinaryOp, Type};

/// How intrinsics call lanes of a width.
fn lanes(bits: u32) -> &'static str {
    match bits {
        8 => "_epi8",
        16 => "_epi16",
        32 => "_epi32",
        _ => "_epi64",
    }
}

/// The predicate of a vector whose lanes have all bits alike.
pub fn predicate_of(lane: Lane, vector: VectorId) -> Arg {
    Arg::Call(Box::new(to_predicate(lane.bits(), Arg::Whole(vector, Lane::U32))))
}

fn to_predicate(bits: u32, vector: Arg) -> Call {
    let name = match bits {
        8 => "_mm512_movepi8_mask",
        16 => "_mm512_movepi16_mask",
        32 => "_mm512_movepi32_mask",
        _ => "_mm512_movepi64_mask",
    };
    Call::new(name, vec![vector])
}

/// A predicate as a vector whose lanes have all bits alike.
fn spread(bits: u32, predicate: VectorId) -> Call {
    Call::new(Intrinsic::new(["_mm512_", "movm", lanes(bits), ""]), vec![Arg::Whole(predicate, Lane::PREDICATE)])
}

/// One of two vectors by a predicate.
pub fn choose(lane: Lane, predicate: Arg, then: VectorId, otherwise: VectorId) -> Call {
    let (read, lanes) = match lane {
        Lane::F32 => (lane, "_ps"),
        Lane::F64 => (lane, "_pd"),
        _ => (Lane::U32, lanes(lane.bits())),
    };
    let args = vec![predicate, Arg::Whole(otherwise, read), Arg::Whole(then, read)];
    Call::new(Intrinsic::new(["_mm512_", "mask_blend", lanes, ""]), args)
}

/// Two predicates as one for lanes of half the width, `bits`: in the order in which vectors are packed.
pub fn narrow(bits: u32, pair: [VectorId; 2]) -> Call {
    // All bits of a lane are alike: those of 64 are taken for two of 32.
    let packs = Intrinsic::new(["_mm512_", "packs", lanes((2 * bits).min(32)), ""]);
    let pair = pair.map(|predicate| Arg::Call(Box::new(spread(2 * bits, predicate))));
    to_predicate(bits, Arg::Call(Box::new(Call::new(packs, pair.to_vec()))))
}

/// A predicate for lanes of `bits` as two for lanes of twice the width: in the order in which vectors are widened.
pub fn widen(bits: u32, predicate: VectorId) -> [Call; 2] {
    ["unpacklo", "unpackhi"].map(|stem| {
        let side = || Arg::Call(Box::new(spread(bits, predicate)));
        let wide = Call::new(Intrinsic::new(["_mm512_", stem, lanes(bits), ""]), vec![side(), side()]);
        to_predicate(2 * bits, Arg::Call(Box::new(wide)))
    })
}

/// The predicate for lanes of `width` bits that a scalar expression sets or clears as a whole.
pub fn of_word(width: u32, holds: Arg) -> Call {
    let (name, bits) = match width {
        8 => ("_cvtu64_mask64", 64),
        16 => ("_cvtu32_mask32", 32),
        32 => ("_cvtu32_mask16", 32),
        _ => ("_cvtu32_mask8", 32),
    };
    Call::new(name, vec![word_of_mask(bits, holds)])
}

/// Where the first of two vectors is less.
pub fn is_less(lane: Lane, values: [VectorId; 2]) -> Call {
    Call::on(Intrinsic::new(["_mm512_", "cmplt", compared(lane), "_mask"]), Lane::U32, &values)
}

/// How comparisons call lanes.
fn compared(lane: Lane) -> &'static str {
    match (lane.is_signed(), lane.bits()) {
        (true, bits) => lanes(bits),
        (false, 8) => "_epu8",
        (false, 16) => "_epu16",
        (false, 32) => "_epu32",
        (false, _) => "_epu64",
    }
}

impl Select<'_, X86> {
    /// The predicate of a comparison.
    pub fn predicate(&mut self, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId {
        if ty.is_float() {
            return self.float_predicate(order_of(op), Lane::of(ty), a, b);
        }
        let stem = match op {
            BinaryOp::Ne => "cmpneq",
            BinaryOp::Lt => "cmplt",
            BinaryOp::Le => "cmple",
            BinaryOp::Gt => "cmpgt",
            BinaryOp::Ge => "cmpge",
            _ => "cmpeq",
        };
        self.comparison(stem, Lane::of(ty), a, b)
    }

    /// The same of an instruction and the lanes that it reads.
    pub fn comparison(&mut self, stem: &'static str, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        let call = Call::on(Intrinsic::new(["_mm512_", stem, compared(lane), "_mask"]), Lane::U32, &[a, b]);
        self.call(Lane::PREDICATE, call)
    }

    /// The predicate of a comparison of floats.
    pub fn float_predicate(&mut self, order: FloatComparison, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        let name = of_width(lane, ["_mm512_cmp_ps_mask", "_mm512_cmp_pd_mask"]);
        let call = Call::on(name.into(), lane, &[a, b]).with(order.predicate());
        self.call(Lane::PREDICATE, call)
    }

    /// An operation on predicates for lanes of a width.
    pub fn predicates(&mut self, stem: &'static str, width: u32, operands: &[VectorId]) -> VectorId {
        let bits = match width {
            8 => "64",
            16 => "32",
            32 => "16",
            _ => "8",
        };
        let call = Call::on(Intrinsic::new(["_k", stem, "_mask", bits]), Lane::PREDICATE, operands);
        self.call(Lane::PREDICATE, call)
    }

    /// The predicates of the second list where those of the first are set, those of the third elsewhere.
    pub fn chosen_predicates(&mut self, width: u32, lists: [Vec<VectorId>; 3]) -> Vec<VectorId> {
        let [masks, then, otherwise] = lists;
        let then = self.map2(masks.clone(), then, |select, mask, a| select.predicates("and", width, &[mask, a]));
        let otherwise = self.map2(masks, otherwise, |select, mask, a| select.predicates("andn", width, &[mask, a]));
        self.map2(then, otherwise, |select, a, b| select.predicates("or", width, &[a, b]))
    }

    /// A predicate as a vector whose lanes have all bits alike.
    pub fn spread_predicate(&mut self, lane: Lane, predicate: VectorId) -> VectorId {
        let lane = if lane.is_float() { lane.unsigned() } else { lane };
        self.call(lane, spread(lane.bits(), predicate))
    }

    /// The lanes of a vector of integers where a predicate is set, zeros elsewhere.
    pub fn kept_lanes(&mut self, lane: Lane, a: VectorId, predicate: VectorId) -> VectorId {
        let name = Intrinsic::new(["_mm512_", "maskz_mov", lanes(lane.bits()), ""]);
        let args = vec![Arg::Whole(predicate, Lane::PREDICATE), Arg::Whole(a, Lane::U32)];
        self.call(lane.unsigned(), Call::new(name, args))
    }
}
