//! The list of the CPU targets. Everything that concerns all of them walks it: the assembly around a kernel, the command
//! line, `explain`, the refusals of `deny(scalar)`, the tests.

use crate::vector::{Machine, exempt};
use crate::{neon, scalar, x86};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Kernel;
use windrow_dsl::optimise::Prepared;

pub use crate::target::{CpuTarget, Emit};

/// Every CPU target: those of an architecture best first, plain Rust last.
pub const CPU: &[CpuTarget] = &[neon::TARGET, x86::AVX2_TARGET, x86::SSE41_TARGET, scalar::TARGET];

/// The mistakes of a kernel that says `deny(scalar)`: an operation that some vector target computes lane by lane.
pub fn refuse_scalar(kernel: &Kernel, prepared: &Prepared) -> Vec<Diagnostic> {
    let machines: Vec<&Machine> = CPU.iter().filter_map(|target| target.machine).collect();
    exempt::refuse(&machines, kernel, prepared)
}
