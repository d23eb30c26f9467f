//! AVX2's vectors with dot products of bytes, which AVX-512 has for every width: for rows that do not fill 64 bytes.
//!
//! Everything else is AVX2's, with as many registers as AVX-512 has. Only kernels that add products of bytes have such a body.

use super::MACHINE;
use crate::target::CpuTarget;
use crate::vector::{self, Costs, Machine};
use crate::x86::{AVX2, AVX2_TARGET, X86};
use windrow_dsl::ir::{Kernel, Type};
use windrow_dsl::optimise::Prepared;

/// Its numbers.
pub(crate) const NARROW_MACHINE: Machine = Machine {
    name: "AVX-512's dot products in 32 bytes",
    kind: "AVX-512 in 32 bytes",
    tiers: MACHINE.tiers,
    features: MACHINE.features,
    byte_factor: Some(Type::U8),
    chooses_pointers: true,
    costs: COSTS,
    ..AVX2
};

const COSTS: Costs =
    Costs { registers: MACHINE.costs.registers, held: MACHINE.costs.held, columns: &[1], ..AVX2.costs };

/// The same among the targets: a second one of the tier of AVX-512.
pub const NARROW_TARGET: CpuTarget = CpuTarget {
    name: "vnni",
    tier: "Avx512",
    is_narrow: true,
    is_for_bytes: true,
    feature: Some("avx512"),
    pays: Some(pays),
    machine: Some(&NARROW_MACHINE),
    emit: |kernel, prepared, index, name, block| vector::emit(X86::Vnni, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(X86::Vnni, kernel, prepared, index),
    ..AVX2_TARGET
};

/// Whether every body adds products of bytes.
fn pays(kernel: &Kernel, prepared: &Prepared) -> bool {
    prepared.bodies.iter().all(|body| vector::adds_products_of_bytes(&NARROW_MACHINE, kernel, body))
}
