//! The list of the CPU targets. Everything that concerns all of them walks it: the assembly around a kernel, the command
//! line, `explain`, the refusals of `deny(scalar)`, the tests.

use crate::vector::{Machine, exempt};
use crate::{neon, scalar, x86};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Kernel;
use windrow_dsl::optimise::Prepared;

pub use crate::target::{CpuTarget, Emit};
pub use crate::vector::{Weighed, cost_depends_on_run};

/// Every CPU target: those of an architecture best first, plain Rust last.
pub const CPU: &[CpuTarget] = &[
    neon::DOTPROD_TARGET,
    neon::TARGET,
    x86::avx512::TARGET,
    x86::avx512::NARROW_TARGET,
    x86::AVX2_TARGET,
    x86::SSE41_TARGET,
    scalar::TARGET,
];

/// Those whose bodies are written whatever the features of the facade.
pub fn by_default() -> impl Iterator<Item = &'static CpuTarget> {
    CPU.iter().filter(|target| target.feature.is_none())
}

/// The most texts that a build has of a body: one for each target of an architecture, and plain Rust. Targets that are
/// written on request count too, so that a kernel is accepted or not whatever the features are.
pub fn most_texts() -> usize {
    let of = |own: &CpuTarget| {
        CPU.iter().filter(|other| other.architecture.is_none() || other.architecture == own.architecture).count()
    };
    CPU.iter().map(of).max().unwrap_or(0)
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

    #[test]
    fn x86_has_the_most_texts() {
        assert_eq!(most_texts(), 5, "AVX-512 in two widths, AVX2, SSE4.1, plain Rust");
    }

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

    /// Every line that computes is from a token of the author's, and reads are from the neighbourhood that is read.
    #[test]
    fn statements_say_where_they_are_from() {
        let source = "#[kernel]\nfn k(src: Neighbourhood<u8>) -> u8 {\n    let left = src.at(-1, 0);\n    left.max(src.at(1, 0))\n}\n";
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels[0].kernel;
        let prepared = windrow_dsl::optimise::prepare(kernel);
        let lines: Vec<&str> = source.lines().collect();
        for target in CPU {
            let body = (target.emit)(kernel, &prepared, 0, "k", None).unwrap();
            let (mut marks, mut author) = (body.marks.iter().peekable(), None);
            let mut made = Vec::new();
            for (number, line) in body.text.lines().enumerate() {
                while let Some(mark) = marks.next_if(|mark| mark.line == number) {
                    author = mark.author.map(|span| &lines[span.start().line - 1][span.start().column..]);
                }
                made.extend(line.trim_start().strip_prefix("let ").map(|made| (made, author)));
            }
            for (name, what, token) in
                [("src_m1_0", "", "src.at(-1, 0)"), ("src_p1_0", "", "src.at(1, 0)"), ("", "max", "max(")]
            {
                let own: Vec<_> =
                    made.iter().filter(|(line, _)| line.starts_with(name) && line.contains(what)).collect();
                let is_from = |author: Option<&str>| author.is_some_and(|author| author.starts_with(token));
                assert!(!own.is_empty() && own.iter().all(|(_, author)| is_from(*author)), "{}: {own:?}", target.name);
            }
            assert!(made.iter().any(|(line, author)| line.starts_with("src_row") && author.is_none()));
        }
    }

    /// One search for forms and blocks serves all machines of a kind.
    #[test]
    fn machines_of_a_kind_have_the_same_registers_and_blocks() {
        let machines: Vec<_> = CPU.iter().filter_map(|target| target.machine).collect();
        for (place, machine) in machines.iter().enumerate() {
            for other in machines[..place].iter().filter(|other| other.kind == machine.kind) {
                let numbers =
                    [&machine.costs, &other.costs].map(|own| (own.registers, own.held, own.rows, own.columns));
                assert_eq!(numbers[0], numbers[1], "{} and {}", machine.name, other.name);
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
