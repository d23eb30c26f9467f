//! AVX-512 with the instructions of Intel's servers since Skylake: F, BW, VL, DQ.
//!
//! Vectors have four blocks of 128 bits, in which all of x86's other files work as they are. What is here is what differs:
//! comparisons give predicates ([`predicates`]), and loads and stores of several vectors bring four blocks together
//! ([`blocks`]).

mod blocks;
mod float;
mod predicates;
pub mod table;

use super::{AVX2, AVX2_TARGET, COSTS, X86, exempt};
use crate::target::CpuTarget;
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::{self, Costs, Lanes, Machine, Masks};
pub use blocks::{load_blocks, store_blocks};
pub use predicates::{choose, narrow, of_word, predicate_of, widen};

/// Its numbers.
pub(crate) const MACHINE: Machine = Machine {
    name: "AVX-512",
    tiers: 3,
    kind: "AVX-512",
    features: "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma",
    lanes: Lanes::InBlocks(4),
    masks: Masks::Predicates,
    has_unsigned_floats: true,
    costs: COSTS_OF_WIDE,
    fence: Some(("zmm_reg", "")),
    exemptions: exempt::AVX512,
    ..AVX2
};

/// Twice as many registers. Nearly all loads of neighbours touch two lines of the cache; where the blocks of a vector lie apart,
/// a load has four parts.
const COSTS_OF_WIDE: Costs =
    Costs { load: 1.0, single_load: 0.7, apart: 3.0, registers: 28, held: 16, columns: &[1, 2], ..COSTS };

/// Plain instructions take so much longer than AVX2's: two a cycle, not three.
const SLOWER: f64 = 1.5;

/// How much of AVX2's cost is still worth a second body.
const WORTH: f64 = 0.9;

/// AVX-512 among the targets.
pub const TARGET: CpuTarget = CpuTarget {
    name: "avx512",
    tier: "Avx512",
    feature: Some("avx512"),
    pays: Some(|kernel, prepared| {
        let [wide, narrow] = [X86::Avx512, X86::Avx2].map(|tier| vector::weight(tier, kernel, prepared));
        wide * SLOWER < narrow * WORTH
    }),
    machine: Some(&MACHINE),
    emit: |kernel, prepared, index, name, block| vector::emit(X86::Avx512, kernel, prepared, index, name, block),
    ..AVX2_TARGET
};

/// Two halves as a vector.
pub fn joined_halves([low, high]: [VectorId; 2]) -> Call {
    let low = Call::new("_mm512_castsi256_si512", vec![Arg::Whole(low, Lane::U32)]);
    let halves = vec![Arg::Call(Box::new(low)), Arg::Whole(high, Lane::U32)];
    Call::new("_mm512_inserti64x4", halves).with(1)
}

/// Even words of 32 bits from one vector, odd ones from another.
pub fn odd_words(even: VectorId, odd: VectorId) -> Call {
    let args = vec![Arg::Text("0xaaaa".to_owned()), Arg::Whole(even, Lane::U32), Arg::Whole(odd, Lane::U32)];
    Call::new("_mm512_mask_blend_epi32", args)
}
