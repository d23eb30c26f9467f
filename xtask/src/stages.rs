//! The table of stages.
//!
//! Every build selects the whole workspace with all features, or the packages of `neon`: with another selection cargo would
//! build the same packages again, with other features. Stages of `Turn::AfterHost` run what the stage `host` has built. Those of
//! `Turn::Beside` begin with what nightly Rust builds in a folder of its own, while `host` compiles, and end with what shares the
//! folder of `host`. `oclgrind` and `miri` know one thread: they stand early, where the other lane has work for the other core.

mod arrows;
mod book;
mod builds;
mod capi;
mod circles;
mod host;
mod interpreted;
mod links;
mod neon;
mod new;
mod opencl;
mod package;
mod page;
mod programs;
mod python;
mod quick;
mod sanitizers;
mod sizes;
mod systems;
mod tools;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::{
    needs::*,
    stage::{Stage, Turn},
};

/// Every stage, in the order in which lanes take those that may run.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "format",
        shows: "rustfmt has nothing to change",
        needs: &[&RUSTFMT],
        turn: Turn::First,
        run: quick::format,
    },
    Stage {
        name: "arrows",
        shows: "crates depend on each other as ARCHITECTURE.md draws it",
        needs: &[],
        turn: Turn::First,
        run: arrows::arrows,
    },
    Stage {
        name: "circles",
        shows: "no more than three files of a crate import each other in a circle",
        needs: &[],
        turn: Turn::First,
        run: circles::circles,
    },
    Stage {
        name: "links",
        shows: "links between the pages lead to files and headings that exist",
        needs: &[],
        turn: Turn::First,
        run: links::links,
    },
    Stage {
        name: "package",
        shows: "cargo would publish the packages: metadata, licences, no file too many; the Rust they promise is the one tested",
        needs: &[],
        turn: Turn::First,
        run: package::package,
    },
    Stage {
        name: "builds",
        shows: "each package is built once for all tests of the workspace",
        needs: &[&NIGHTLY],
        turn: Turn::First,
        run: builds::builds,
    },
    Stage {
        name: "host",
        shows: "all tests on this processor's tiers and on PoCL: units, properties, messages, goldens, doctests",
        needs: &[&POCL, &CLANG, &OPENCL_HEADERS],
        turn: Turn::Host,
        run: host::host,
    },
    Stage {
        name: "oclgrind",
        shows: "no OpenCL kernel reads or writes outside its buffers",
        needs: &[&OCLGRIND],
        turn: Turn::AfterHost,
        run: opencl::oclgrind,
    },
    Stage {
        name: "scalar",
        shows: "plain Rust passes all generated cases",
        needs: &[],
        turn: Turn::AfterHost,
        run: host::scalar,
    },
    Stage {
        name: "counts",
        shows: "no operator's loop has more instructions than its baseline: NEON's and x86's in the assembly, NEON's in an emulator too",
        needs: &[&AARCH64, &QEMU_PLUGINS, &LLVM_MCA],
        turn: Turn::AfterHost,
        run: neon::counts,
    },
    Stage {
        name: "cl",
        shows: "every OpenCL program compiles without a warning in clang, in every precision",
        needs: &[&CLANG],
        turn: Turn::AfterHost,
        run: opencl::clang,
    },
    Stage {
        name: "python",
        shows: "the Python package's tests: every operator over NumPy's arrays, and over Dask's in several processes",
        needs: &[&PYTHON_VENV, &POCL],
        turn: Turn::AfterHost,
        run: python::python,
    },
    Stage {
        name: "capi",
        shows: "the C header is cbindgen's, and programs in C and C++ compute what Rust does",
        needs: &[&RUSTFMT, &CLANG],
        turn: Turn::AfterHost,
        run: capi::capi,
    },
    Stage {
        name: "page",
        shows: "the page of `windrow explain --html` in headless Chromium: pointer, keyboard, both colour schemes, size and speed",
        needs: &[&CHROMIUM, &PYTHON],
        turn: Turn::AfterHost,
        run: page::page,
    },
    Stage { name: "examples", shows: "the examples run", needs: &[&POCL], turn: Turn::AfterHost, run: host::examples },
    Stage {
        name: "asan",
        shows: "the unsafe code passes AddressSanitizer",
        needs: &[&NIGHTLY],
        turn: Turn::Beside,
        run: sanitizers::asan,
    },
    Stage {
        name: "tsan",
        shows: "the scheduler, bands and pools pass ThreadSanitizer",
        needs: &[&NIGHTLY],
        turn: Turn::Beside,
        run: sanitizers::tsan,
    },
    Stage {
        name: "miri",
        shows: "the unsafe code and some generated kernels pass Miri, which checks each access",
        needs: &[&NIGHTLY, &MIRI],
        turn: Turn::Beside,
        run: interpreted::miri,
    },
    Stage {
        name: "loom",
        shows: "the scheduler and the memory pools are right under every interleaving of their threads",
        needs: &[],
        turn: Turn::Beside,
        run: interpreted::loom,
    },
    Stage {
        name: "core",
        shows: "the runtime's core, the operators and an application compile without an operating system",
        needs: &[&AARCH64_BARE],
        turn: Turn::Beside,
        run: quick::core,
    },
    Stage { name: "lint", shows: "clippy has no warning", needs: &[&CLIPPY], turn: Turn::Beside, run: quick::lint },
    Stage {
        name: "neon",
        shows: "NEON bodies pass their tests under QEMU, on three processors",
        needs: &[&AARCH64, &QEMU],
        turn: Turn::Beside,
        run: neon::neon,
    },
    Stage {
        name: "fuzz",
        shows: "mutated kernels are refused or compiled, and never crash the compiler",
        needs: &[],
        turn: Turn::Beside,
        run: host::fuzz,
    },
    Stage {
        name: "book",
        shows: "mdBook builds the book of docs/, all pages are in it, and no link in it is broken",
        needs: &[&RUSTFMT],
        turn: Turn::Beside,
        run: book::book,
    },
    Stage {
        name: "deny",
        shows: "cargo-deny finds no licence, package or source that deny.toml does not allow",
        needs: &[],
        turn: Turn::Beside,
        run: tools::deny,
    },
    Stage {
        name: "avx512",
        shows: "the table of AVX-512 says of each instruction what Miri knows of it; where the processor has it, all its bodies",
        needs: &[&NIGHTLY, &MIRI],
        turn: Turn::Beside,
        run: interpreted::avx512,
    },
    Stage { name: "docs", shows: "rustdoc has no warning", needs: &[], turn: Turn::Beside, run: quick::docs },
    Stage {
        name: "wheel",
        shows: "the same tests over the wheel that `pip install ./python` builds, optimised",
        needs: &[&PYTHON_VENV, &POCL],
        turn: Turn::ByName,
        run: python::wheel,
    },
    Stage {
        name: "new",
        shows: "the crate that `windrow new` makes passes its tests, sharpens a picture, and has a benchmark that compiles",
        needs: &[&POCL],
        turn: Turn::ByName,
        run: new::new,
    },
    Stage {
        name: "long",
        shows: "a kernel over 31×31 elements is built behind `#[kernel]` in cargo's own profiles, from nothing",
        needs: &[],
        turn: Turn::ByName,
        run: host::long,
    },
    Stage {
        name: "publish",
        shows: "each package compiles from what is in it",
        needs: &[],
        turn: Turn::ByName,
        run: package::publish,
    },
    Stage {
        name: "systems",
        shows: "what users link compiles for Windows and macOS; nothing is run",
        needs: &[&WINDOWS, &MACOS],
        turn: Turn::ByName,
        run: systems::systems,
    },
    Stage {
        name: "android",
        shows: "the static library of C compiles for Android, and only Android's own libraries are left to link; nothing is run",
        needs: &[&ANDROID],
        turn: Turn::ByName,
        run: systems::android,
    },
    Stage {
        name: "advisories",
        shows: "nothing is known against the dependencies, by the RustSec database, which is fetched",
        needs: &[],
        turn: Turn::ByName,
        run: tools::advisories,
    },
    Stage {
        name: "semver",
        shows: "cargo-semver-checks finds no change since the last tag that the version does not allow",
        needs: &[],
        turn: Turn::ByName,
        run: tools::semver,
    },
    Stage {
        name: "sizes",
        shows: "a kernel adds at most 24 KiB to a program in C on average, and none but those of a list add more",
        needs: &[&CLANG],
        turn: Turn::ByName,
        run: sizes::sizes,
    },
    Stage {
        name: "intel",
        shows: "OpenCL on Intel's driver for processors, which is downloaded (225 MB) and slow to compile",
        needs: &[&PYTHON_VENV],
        turn: Turn::ByName,
        run: opencl::intel,
    },
];

/// Accepts the name of a stage.
pub fn parser() -> impl TypedValueParser<Value = &'static Stage> {
    PossibleValuesParser::new(STAGES.iter().map(|stage| PossibleValue::new(stage.name).help(stage.shows)))
        .try_map(|name| STAGES.iter().find(|stage| stage.name == name).ok_or("a stage has this name"))
}

/// These stages, or all that run without being named.
pub fn selected(stages: Vec<&'static Stage>) -> Vec<&'static Stage> {
    if stages.is_empty() { STAGES.iter().filter(|stage| stage.turn != Turn::ByName).collect() } else { stages }
}

/// Prints the table.
pub fn list() {
    for stage in STAGES {
        let missing: Vec<_> = stage.needs.iter().filter(|need| !need.is_present()).map(|need| need.name).collect();
        let missing = match &missing[..] {
            [] => String::new(),
            names => format!("\n{:10}   missing here: {}", "", names.join(", ")),
        };
        let by_name = if stage.turn == Turn::ByName { " (only when named)" } else { "" };
        anstream::println!("{:10} {}{by_name}{missing}", stage.name, stage.shows);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_different() {
        assert_eq!(STAGES.iter().map(|stage| stage.name).collect::<BTreeSet<_>>().len(), STAGES.len());
    }

    #[test]
    fn all_stages_run_unless_they_are_only_run_by_name() {
        let named: Vec<_> = STAGES.iter().filter(|stage| stage.turn == Turn::ByName).map(|stage| stage.name).collect();
        assert_eq!(
            named,
            ["wheel", "new", "long", "publish", "systems", "android", "advisories", "semver", "sizes", "intel"]
        );
        assert_eq!(selected(Vec::new()).len() + named.len(), STAGES.len());
    }
}
