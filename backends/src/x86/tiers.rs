//! SSE4.1 and AVX2 in numbers, and among the targets.

use super::{X86, exempt, lookup};
use crate::target::CpuTarget;
use crate::vector::{self, Costs, Lanes, Machine, Masks};
use windrow_dsl::ir::{Body, Kernel, Op};
use windrow_dsl::optimise::Prepared;

/// SSE4.1 in numbers.
pub(crate) const SSE41: Machine = Machine {
    name: "SSE4.1",
    architecture: "x86_64",
    tiers: 2,
    kind: "x86_64",
    features: "sse4.1",
    fused: None,
    lanes: Lanes::InBlocks(1),
    masks: Masks::Vectors,
    multiplies_pairs: true,
    byte_factor: None,
    chooses_pointers: false,
    byte_entries: lookup::PART,
    has_word_indices: true,
    has_unsigned_floats: false,
    stores_early: true,
    parts_loads: false,
    has_heads: true,
    costs: COSTS,
    fence: None,
    exemptions: exempt::SSE41,
};

/// What the instructions of both cost: two a cycle, loads beside them, an address within a load or a store. Where rows lie a
/// multiple of 4096 bytes apart, as in images of that width, the lines of a column share the twelve places of one set in the first
/// cache. Where a step reads twice its width, two vectors were the best of one, two and four (half_box2x2 of three sizes, AVX2).
pub(super) const COSTS: Costs = Costs {
    load: 0.7,
    single_load: 0.4,
    apart: 0.0,
    store: 1.0,
    float_product: 1.0,
    product: 1.2,
    pair_term: 0.75,
    most_paired: 127,
    parting: 2.0,
    widens_lying: true,
    combines_lying: false,
    step: 3.0,
    row: 0.5,
    widens: false,
    adds_products: false,
    adds_word_products: true,
    narrows: false,
    addresses: 12,
    registers: 13,
    held: 8,
    rows: &[1, 2, 3, 4, 8],
    columns: &[1, 2, 4],
    most_by_twos: 2,
};

/// AVX2 in numbers.
pub(crate) const AVX2: Machine = Machine {
    name: "AVX2",
    features: "avx2,fma,f16c",
    fused: Some(|a, b, c| format!("_mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss({a}), _mm_set_ss({b}), _mm_set_ss({c})))")),
    lanes: Lanes::InBlocks(2),
    fence: Some(("ymm_reg", "")),
    exemptions: exempt::AVX2,
    ..SSE41
};

/// SSE4.1 among the targets.
pub const SSE41_TARGET: CpuTarget = CpuTarget {
    name: "sse4.1",
    family: "x86",
    tier: "Sse41",
    is_narrow: false,
    is_for_bytes: false,
    architecture: Some("x86_64"),
    feature: None,
    pays: Some(pays),
    machine: Some(&SSE41),
    emit: |kernel, prepared, index, name, block| vector::emit(X86::Sse41, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(X86::Sse41, kernel, prepared, index),
    is_instruction,
};

/// AVX2 among the targets.
pub const AVX2_TARGET: CpuTarget = CpuTarget {
    name: "avx2",
    tier: "Avx2",
    pays: None,
    machine: Some(&AVX2),
    emit: |kernel, prepared, index, name, block| vector::emit(X86::Avx2, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(X86::Avx2, kernel, prepared, index),
    ..SSE41_TARGET
};

/// Fused products in a body of SSE4.1 that are not too many. It has no instruction for one: a function computes each lane, as in
/// plain Rust, and taking vectors apart for it costs what the other operations gain. Its bodies take 0.86 of plain Rust's time
/// with four, 1.03 with eight, 0.92 with the nine of `exp` and 1.10 with those of `erf` (512 × 256 elements on an EPYC with
/// AVX-512), and rustc has to read three to eight times as many calls as of AVX2's: 2,275 for the sine.
const MOST_FUSED: usize = 4;

/// Whether every body is in vectors, and has few fused products.
fn pays(kernel: &Kernel, prepared: &Prepared) -> bool {
    let fused = |body: &Body| body.nodes.iter().filter(|node| matches!(node.op, Op::MulAdd(..))).count();
    let pays = |body: &Body| fused(body) <= MOST_FUSED && vector::is_in_vectors(kernel, body);
    prepared.bodies.iter().all(pays)
}

/// Whether a function is an intrinsic that becomes an instruction of the loop: one that only reinterprets a register does not,
/// and constants are made before the loop.
fn is_instruction(name: &str) -> bool {
    name.starts_with("_mm") && !["cast", "_set1_", "_setr_", "broadcast"].iter().any(|part| name.contains(part))
}
