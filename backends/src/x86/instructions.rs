//! x86's intrinsics by name: a tier's prefix and a base that ends in the lanes that it reads.

use super::X86;
use super::table::split_name;
use crate::vector::program::{Arg, Call, Intrinsic, Lane, Program, VectorId};
use crate::vector::{Target, select::Select};
use windrow_dsl::ir::ValueId;

impl X86 {
    /// `_mm_add_epi8`, `_mm256_add_epi8`; `and_si` is given the vector's bits.
    pub fn name(self, base: &'static str) -> Intrinsic {
        let (stem, lanes) = split_name(base);
        self.name_of(stem, lanes)
    }

    /// The same of a stem and how the lanes are called: `add`, `_epi8`.
    fn name_of(self, stem: &'static str, lanes: &'static str) -> Intrinsic {
        let (prefix, bits) = match self {
            X86::Sse41 => ("_mm_", "128"),
            X86::Avx2 | X86::Vnni => ("_mm256_", "256"),
            X86::Avx512 => ("_mm512_", "512"),
        };
        Intrinsic::new([prefix, stem, lanes, if lanes == "_si" { bits } else { "" }])
    }

    /// A call on whole vectors.
    pub fn call(self, base: &'static str, operands: &[VectorId]) -> Call {
        Call::on(self.name(base), lanes_of(base), operands)
    }

    /// A call of `stem_epi8`, `stem_epi16`, …: of an instruction whose name ends in the width of the lanes.
    pub fn sized(self, stem: &'static str, bits: u32, operands: &[VectorId]) -> Call {
        let lanes = match bits {
            8 => "_epi8",
            16 => "_epi16",
            32 => "_epi32",
            _ => "_epi64",
        };
        Call::on(self.name_of(stem, lanes), Lane::U32, operands)
    }

    /// The same of one that reads unsigned lanes: `stem_epu8`, `stem_epu16`, `stem_epu32`.
    pub fn sized_unsigned(self, stem: &'static str, bits: u32, operands: &[VectorId]) -> Call {
        let lanes = match bits {
            8 => "_epu8",
            16 => "_epu16",
            _ => "_epu32",
        };
        Call::on(self.name_of(stem, lanes), Lane::U32, operands)
    }

    /// Bytes that are the same in every block.
    pub fn block_bytes(self, program: &mut Program, bytes: [i8; 16], name: &str) -> VectorId {
        let block = Call::new("_mm_setr_epi8", bytes.iter().map(|byte| Arg::Text(byte.to_string())).collect());
        let call = match self {
            X86::Sse41 => block,
            X86::Avx2 | X86::Vnni => Call::new("_mm256_broadcastsi128_si256", vec![Arg::Call(Box::new(block))]),
            X86::Avx512 => Call::new("_mm512_broadcast_i32x4", vec![Arg::Call(Box::new(block))]),
        };
        program.call_named(Lane::I8, name, call)
    }
}

/// As which lanes an intrinsic reads its vectors: floats by their width, integers all alike.
fn lanes_of(base: &str) -> Lane {
    match base.as_bytes() {
        [.., b'_', b'p', b's'] => Lane::F32,
        [.., b'_', b'p', b'd'] => Lane::F64,
        _ => Lane::U32,
    }
}

/// One vector at a time.
impl Select<'_, X86> {
    /// An instruction of the loop.
    pub fn op(&mut self, base: &'static str, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = self.target.call(base, operands);
        self.call(lane, call)
    }

    /// The same of a stem and how the lanes are called.
    pub fn op_of(
        &mut self,
        (stem, lanes): (&'static str, &'static str),
        lane: Lane,
        operands: &[VectorId],
    ) -> VectorId {
        let call = Call::on(self.target.name_of(stem, lanes), lanes_of(lanes), operands);
        self.call(lane, call)
    }

    /// An instruction whose name ends in what it gives, not in what it reads.
    pub fn op_as(&mut self, base: &'static str, reads: Lane, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = Call::on(self.target.name(base), reads, operands);
        self.call(lane, call)
    }

    /// The same with a constant.
    pub fn op_n(&mut self, base: &'static str, n: u32, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = self.target.call(base, operands).with(n);
        self.call(lane, call)
    }

    /// `stem_epi8`, `stem_epi16`, …: an instruction whose name ends in the width of the lanes.
    pub fn sized(&mut self, stem: &'static str, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = self.target.sized(stem, lane.bits(), operands);
        self.call(lane, call)
    }

    /// `stem_epu8`, `stem_epu16`, …: the same of one that reads unsigned lanes.
    pub fn sized_unsigned(&mut self, stem: &'static str, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = self.target.sized_unsigned(stem, lane.bits(), operands);
        self.call(lane, call)
    }

    /// The same with a constant.
    pub fn sized_n(&mut self, stem: &'static str, n: u32, lane: Lane, operands: &[VectorId]) -> VectorId {
        let call = self.target.sized(stem, lane.bits(), operands).with(n);
        self.call(lane, call)
    }

    /// `f` of each vector.
    pub fn map(&mut self, a: Vec<VectorId>, mut f: impl FnMut(&mut Self, VectorId) -> VectorId) -> Vec<VectorId> {
        let mut results = Vec::with_capacity(a.len());
        for a in a {
            results.push(f(self, a));
        }
        results
    }

    /// `f` of each pair of vectors.
    pub fn map2(
        &mut self,
        a: Vec<VectorId>,
        b: Vec<VectorId>,
        mut f: impl FnMut(&mut Self, VectorId, VectorId) -> VectorId,
    ) -> Vec<VectorId> {
        let (a, b) = (a.as_slice(), b.as_slice());
        let mut results = Vec::with_capacity(a.len());
        let mut place = 0;
        while place < a.len() && place < b.len() {
            results.push(f(self, a[place], b[place]));
            place += 1;
        }
        results
    }

    /// No bit set.
    pub fn zero(&mut self) -> VectorId {
        self.splat_int(0, Lane::I32)
    }

    /// All bits set.
    pub fn ones(&mut self) -> VectorId {
        self.splat_int(-1, Lane::I32)
    }

    /// The inverse of every bit: integers, whatever is inverted.
    pub fn inverse(&mut self, a: VectorId) -> VectorId {
        let ones = self.ones();
        let lane = self.program.lane(a);
        let lane = if lane.is_float() { lane.unsigned() } else { lane };
        self.op("xor_si", lane, &[a, ones])
    }

    /// The two halves of every block, widened; `lane` is what is widened.
    pub fn widen(&mut self, a: VectorId, lane: Lane) -> [VectorId; 2] {
        let upper = match lane.is_signed() {
            false => self.zero(),
            true => {
                let zero = self.zero();
                self.is_greater(lane, zero, a)
            }
        };
        self.interleave(a, upper, lane, lane.wide())
    }

    /// The lanes of the two vectors in turn: of the lower halves of their blocks, and of the upper ones.
    pub fn interleave(&mut self, a: VectorId, b: VectorId, lane: Lane, result: Lane) -> [VectorId; 2] {
        let width = lane.bits();
        ["unpacklo", "unpackhi"].map(|base| {
            let call = self.target.sized(base, width, &[a, b]);
            self.call(result, call)
        })
    }

    /// The vectors of the value that is being selected, computed in the order of memory, in that of all values. Who keeps
    /// lanes apart takes them as they are: [`Self::in_memory`].
    pub fn keep_in_memory(&mut self, vectors: Vec<VectorId>, lane: Lane) -> Vec<VectorId> {
        if self.target != X86::Sse41 {
            self.interleaved.push((self.current, vectors.clone()));
        }
        self.in_runs(vectors, lane)
    }

    /// The vectors of a value in the order of memory, where it was computed so.
    pub fn in_memory(&self, id: ValueId) -> Option<Vec<VectorId>> {
        let (_, vectors) = self.interleaved.iter().find(|(value, _)| *value == id)?;
        Some(vectors.clone())
    }

    /// Vectors in the order of memory, in that of all values: blocks of the first half of them and of the second in turn.
    pub fn in_runs(&mut self, vectors: Vec<VectorId>, lane: Lane) -> Vec<VectorId> {
        if self.target == X86::Sse41 || vectors.len() < 2 {
            return vectors;
        }
        if self.target == X86::Avx512 {
            return self.runs_of_blocks(vectors, lane);
        }
        let (first, second) = vectors.split_at(vectors.len() / 2);
        let pairs = first.iter().zip(second);
        let blocks = pairs.flat_map(|(&a, &b)| [0x20, 0x31].map(|blocks| (a, b, blocks)));
        blocks.map(|(a, b, blocks)| self.op_n("permute2x128_si", blocks, lane, &[a, b])).collect()
    }

    /// The vector of a comparison for ==, whose lanes have all bits alike.
    pub fn is_equal(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        self.compared("cmpeq", lane, a, b)
    }

    /// The same for >, of signed lanes.
    pub fn is_greater(&mut self, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        self.compared("cmpgt", lane, a, b)
    }

    fn compared(&mut self, stem: &'static str, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        if self.target != X86::Avx512 {
            return self.sized(stem, lane, &[a, b]);
        }
        let predicate = self.comparison(stem, lane.signed(), a, b);
        self.spread_predicate(lane, predicate)
    }

    /// One of two vectors by a third, whose lanes have all bits alike.
    pub fn blend(&mut self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> VectorId {
        let call = self.target.choose_by_vector(lane, mask, then, otherwise);
        self.call(lane, call)
    }

    /// Two vectors as one of half the lanes' width, each lane saturated from a signed one.
    pub fn pack(&mut self, from: Lane, to: Lane, pair: &[VectorId]) -> VectorId {
        let base = if to.is_signed() { "packs" } else { "packus" };
        let call = self.target.sized(base, from.bits(), &[pair[0], pair[pair.len() - 1]]);
        self.call(to, call)
    }
}
