//! AVX-512 with the instructions of Intel's servers since Cascade Lake, and of AMD's since Zen 4: F, BW, VL, DQ, VNNI.
//!
//! Vectors have four blocks of 128 bits, in which all of x86's other files work as they are. What is here is what differs:
//! comparisons give predicates (`predicates`), four products of bytes are one step, what only one port computes is spread over two
//! (`ports`), and loads and stores of several vectors bring four blocks together (`blocks`). Rows that do not fill 64 bytes have bodies of 32, where products of bytes are added (`narrow`).

mod blocks;
mod float;
mod narrow;
mod ports;
mod predicates;
pub mod table;

use super::{AVX2, AVX2_TARGET, COSTS, X86, exempt};
use crate::target::CpuTarget;
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::{self, Costs, Lanes, Machine, Masks};
pub use blocks::{load_blocks, store_blocks};
pub(crate) use narrow::NARROW_MACHINE;
pub use narrow::NARROW_TARGET;
pub use ports::balance;
pub use predicates::{choose, narrow, of_word, predicate_of, widen};
use windrow_dsl::ir::loops::has_loops;
use windrow_dsl::ir::{Body, Kernel, Node, Op, Type};
use windrow_dsl::optimise::Prepared;

/// Its numbers.
pub(crate) const MACHINE: Machine = Machine {
    name: "AVX-512",
    tiers: 3,
    kind: "AVX-512",
    features: "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,f16c",
    lanes: Lanes::InBlocks(4),
    masks: Masks::Predicates,
    byte_factor: Some(Type::U8),
    chooses_pointers: true,
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

/// Instructions of a plain kind that start in a cycle: vectors of 512 bits have two ports, AVX2's three.
const WIDE_A_CYCLE: f64 = 2.0;
const NARROW_A_CYCLE: f64 = 3.0;

/// Bytes a cycle that kernels of a few rows move between the first two caches, by measurement on Sapphire Rapids: what an
/// element takes at least, however wide the vectors.
const BYTES_A_CYCLE: f64 = 16.0;

/// How much of AVX2's time is still worth a second body.
const WORTH: f64 = 0.9;

/// AVX-512 among the targets.
pub const TARGET: CpuTarget = CpuTarget {
    name: "avx512",
    tier: "Avx512",
    feature: Some("avx512"),
    pays: Some(pays),
    machine: Some(&MACHINE),
    emit: |kernel, prepared, index, name, block| vector::emit(X86::Avx512, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(X86::Avx512, kernel, prepared, index),
    ..AVX2_TARGET
};

/// Whether an element takes less time than with AVX2 in every body: of computing and of moving its bytes, what takes longer.
fn pays(kernel: &Kernel, prepared: &Prepared) -> bool {
    let adds_products = |body: &Body| vector::adds_products_of_bytes(&MACHINE, kernel, body);
    if prepared.bodies.iter().all(adds_products) {
        return true;
    }
    if prepared.bodies.iter().any(|body| has_loops(&body.nodes)) {
        // How long they run is not known: what they compute decides, as nothing is weighed against it.
        return prepared.bodies.iter().all(|body| vector::is_in_vectors(kernel, body));
    }
    let times = |tier: X86, a_cycle: f64| {
        let weights = vector::weights(tier, kernel, prepared).into_iter().zip(&prepared.bodies);
        weights.map(move |(weight, body)| (weight / a_cycle).max(bytes(kernel, body) / BYTES_A_CYCLE))
    };
    let mut pairs = times(X86::Avx512, WIDE_A_CYCLE).zip(times(X86::Avx2, NARROW_A_CYCLE));
    pairs.all(|(wide, narrow)| wide < narrow * WORTH)
}

/// Bytes that an element reads and writes, where each element of an input is read once.
fn bytes(kernel: &Kernel, body: &Body) -> f64 {
    let reads = |id: usize| {
        let is_own = |node: &Node| matches!(&node.op, Op::Load(access) if access.tensor.0 as usize == id);
        body.nodes.iter().any(is_own)
    };
    let writes = |id: usize| body.stores.iter().any(|store| store.to.tensor.0 as usize == id);
    let inputs = kernel.inputs.iter().enumerate().filter(|(id, _)| reads(*id)).map(|(_, input)| {
        let (across, down) = input.stride();
        input.ty.bits() * input.channels * across * down
    });
    let outputs = kernel.outputs.iter().enumerate().filter(|(id, _)| writes(*id));
    let bits: u32 = inputs.chain(outputs.map(|(_, output)| output.ty.bits() * output.channels)).sum();
    f64::from(bits) / 8.0
}

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
