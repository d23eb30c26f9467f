//! Why a cost is not known, and the command that installs what is missing.

use std::{io, path::PathBuf};
use windrow_dsl::diagnostic::Diagnostic;

/// Why a cost is not known.
#[derive(Debug, thiserror::Error)]
pub enum CostError {
    /// rustc is not there.
    #[error("error: cannot run `{program}` ({error}): install Rust, or name a compiler in `RUSTC`")]
    NoCompiler {
        /// As it was called.
        program: String,
        /// The system's word.
        error: io::Error,
    },
    /// rustc has no library for the processor.
    #[error("error: this Rust compiles nothing for {0}: rustup target add {0}")]
    NoTarget(
        /// The target's triple.
        &'static str,
    ),
    /// The compiler refused the bodies.
    #[error("error: the bodies do not compile:\n{0}")]
    Refused(
        /// Its messages.
        String,
    ),
    /// No llvm-mca that knows the processors.
    #[error(
        "error: llvm-mca, which models the processors, is missing or older than LLVM {oldest}: apt-get install \
         llvm-19; or leave the cycles out by `--counts-only`"
    )]
    NoModels {
        /// The oldest LLVM whose models do.
        oldest: u32,
    },
    /// llvm-mca refused a loop.
    #[error("error: llvm-mca knows no cycles on {core}:\n{text}")]
    NoCycles {
        /// The processor.
        core: &'static str,
        /// Its messages.
        text: String,
    },
    /// The assembly has no loop where one is expected.
    #[error("error: no loop was found in what rustc made of `{0}`: its cost cannot be told")]
    NoLoop(
        /// The body.
        String,
    ),
    /// The emulator runs no bodies of this target.
    #[error("error: `--emulate` runs NEON's bodies alone: count those of {0} in the assembly, without it")]
    NoProcessor(
        /// The target's name.
        &'static str,
    ),
    /// The emulator that counts is not there.
    #[error("error: cannot run `{program}` ({error}): apt-get install {package}")]
    NoEmulator {
        /// What was called.
        program: &'static str,
        /// What holds it.
        package: &'static str,
        /// The system's word.
        error: io::Error,
    },
    /// The emulator, or the compiler of its plugin, failed.
    #[error("error: `{program}` failed:\n{text}")]
    NotEmulated {
        /// What was called.
        program: &'static str,
        /// Its messages.
        text: String,
    },
    /// No kernel has a body that is counted.
    #[error("error: no kernel here is counted\n{}", .0.trim_end())]
    NothingToCount(
        /// A line for each kernel that is left out, which says why.
        String,
    ),
    /// A block that is not one.
    #[error("error: `{0}` is no block: give elements and rows, as in `schedule(neon(32, 4))`: 32,4")]
    BadBlock(
        /// As it was given.
        String,
    ),
    /// A block whose rows end within a vector.
    #[error(
        "error: a row of the block {},{} is not whole vectors of `{kernel}`: it has {lanes} elements a vector, so give a multiple of {lanes}, such as {},{}",
        block.0, block.1, block.0.next_multiple_of(*lanes), block.1
    )]
    PartialVector {
        /// The kernel's name.
        kernel: String,
        /// Elements and rows, as they were given.
        block: (u32, u32),
        /// Elements of a vector.
        lanes: u32,
    },
    /// There is nothing to compare with.
    #[error("error: `{text}` is no Rust file, no saved cost (.json) and no commit of git:\n{reason}")]
    NothingAgainst {
        /// As it was given.
        text: String,
        /// What git or the file said.
        reason: String,
    },
    /// A file that can't be read or written.
    #[error("error: cannot {action} `{}`: {error}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's word.
        error: io::Error,
    },
}

impl From<Vec<Diagnostic>> for CostError {
    fn from(refused: Vec<Diagnostic>) -> Self {
        Self::Refused(refused.iter().map(Diagnostic::text).collect::<Vec<_>>().join("\n"))
    }
}
