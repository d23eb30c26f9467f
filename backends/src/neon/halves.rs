//! Conversions of binary16, whose bits are in lanes of 32, or of 16 where an instruction takes or gives them there.

use super::Neon;
use super::instructions::call;
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{Op, Type, UnaryOp, ValueId};

impl Select<'_, Neon> {
    /// Floats of the halves whose bits are a value.
    pub fn floats_of_halves(&mut self, bits: ValueId) -> Vec<VectorId> {
        if let Op::Cast(_, halves) = self.body.node(bits).op
            && self.body.node(halves).ty == Type::U16
            && !self.is_scalar(halves)
        {
            let (vectors, name) = (self.vectors(halves), self.name());
            let both = |a| {
                let high = call("vcvt_high_f32", Lane::F16, vec![Arg::Whole(a, Lane::F16)]);
                [floats(Arg::Low(a, Lane::U16)), high]
            };
            return vectors.into_iter().flat_map(both).map(|half| self.program.call(Lane::F32, &name, half)).collect();
        }
        let vectors = self.vectors(bits);
        self.each_call(Lane::F32, &[vectors], |ids| {
            floats(nested(call("vmovn", Lane::U32, vec![Arg::Whole(ids[0], Lane::U32)])))
        })
    }

    /// The nearest halves of floats, in lanes of 32 bits.
    pub fn halves_of_floats(&mut self, vectors: Vec<VectorId>) -> Vec<VectorId> {
        self.each_call(Lane::U32, &[vectors], |ids| {
            let bits = call("vreinterpret_u16", Lane::F16, vec![nested(halves(ids[0]))]);
            call("vmovl", Lane::U16, vec![nested(bits)])
        })
    }

    /// The same in lanes of 16 bits, where `bits` are those of halves.
    pub fn narrow_halves_of_floats(&mut self, bits: ValueId) -> Option<Vec<VectorId>> {
        let Op::Unary(UnaryOp::ToHalf, floats) = self.body.node(bits).op else { return None };
        if self.is_scalar(floats) {
            return None;
        }
        let (vectors, name) = (self.vectors(floats), self.name());
        let narrow = vectors.chunks(2).map(|pair| {
            let high = vec![nested(halves(pair[0])), Arg::Whole(pair[pair.len() - 1], Lane::F32)];
            let both = nested(call("vcvt_high_f16", Lane::F32, high));
            self.program.call(Lane::U16, &name, call("vreinterpretq_u16", Lane::F16, vec![both]))
        });
        Some(narrow.collect())
    }
}

fn nested(call: Call) -> Arg {
    Arg::Call(Box::new(call))
}

/// Four floats of as many halves, by their bits.
fn floats(bits: Arg) -> Call {
    call("vcvt_f32", Lane::F16, vec![nested(call("vreinterpret_f16", Lane::U16, vec![bits]))])
}

/// Four halves of a vector of floats.
fn halves(floats: VectorId) -> Call {
    call("vcvt_f16", Lane::F32, vec![Arg::Whole(floats, Lane::F32)])
}
