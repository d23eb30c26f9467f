//! The list of the CPU targets. Everything that concerns all of them walks it: the assembly around a kernel, the command
//! line, `explain`, the refusals of `deny(scalar)`, the tests.

use crate::vector::{Machine, exempt};
use crate::{neon, scalar, x86};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Kernel;
use windrow_dsl::optimise::Prepared;

pub use crate::target::{CpuTarget, Emit};

/// Every CPU target: those of an architecture best first, plain Rust last.
pub const CPU: &[CpuTarget] = &[neon::TARGET, x86::avx512::TARGET, x86::AVX2_TARGET, x86::SSE41_TARGET, scalar::TARGET];

/// Those whose bodies are written whatever the features of the facade.
pub fn by_default() -> impl Iterator<Item = &'static CpuTarget> {
    CPU.iter().filter(|target| target.feature.is_none())
}

/// The mistakes of a kernel that says `deny(scalar)`: an operation that some vector target computes lane by lane.
pub fn refuse_scalar(kernel: &Kernel, prepared: &Prepared) -> Vec<Diagnostic> {
    // What others of its architecture lack, a target that is written on request may lack too.
    let machines: Vec<&Machine> = by_default().filter_map(|target| target.machine).collect();
    exempt::refuse(&machines, kernel, prepared)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel that is refused nothing by default is refused nothing with a feature.
    #[test]
    fn optional_targets_have_no_exemptions_of_their_own() {
        for target in CPU.iter().filter(|target| target.feature.is_some()) {
            let others = by_default().filter(|other| other.architecture == target.architecture);
            let known: Vec<_> =
                others.filter_map(|other| other.machine).flat_map(|machine| machine.exemptions).collect();
            for own in target.machine.map_or(&[][..], |machine| machine.exemptions) {
                let covers = |ty| known.iter().any(|known| known.builtin == own.builtin && known.types.contains(ty));
                assert!(own.types.iter().all(covers), "{}: {own:?}", target.name);
            }
        }
    }

    /// The lists of the front end name every target that this one does: its tiers and its families.
    #[test]
    fn every_target_has_its_options() {
        for target in CPU.iter().filter(|target| target.architecture.is_some()) {
            let (tier, family) = (target.tier.to_lowercase(), target.family);
            for option in [format!("{tier} = path::to::BODY"), format!("schedule({family}(64, 2))")] {
                let compiled = windrow_dsl::compile_file(&format!("#[kernel({option})] fn k(a: u8) -> u8 {{ !a }}"));
                assert!(compiled.errors.is_empty(), "{option}: {:?}", compiled.errors);
            }
        }
    }
}
