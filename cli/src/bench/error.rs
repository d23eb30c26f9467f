//! Why kernels were not timed.

use std::{io, path::PathBuf, process::ExitStatus};

/// Why kernels were not timed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The benchmark's crate can't name it.
    #[error(
        "error: the {kind} `{name}` in {} is private, so that the benchmark can't name it\nhelp: make it and its modules `pub`",
        file.display()
    )]
    Private {
        /// `kernel` or `pipeline`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Its file.
        file: PathBuf,
    },
    /// The benchmark's crate has no name for it.
    #[error("error: `{name}` is a kernel that a pipeline fuses, which is not run by itself\nhelp: name the pipeline")]
    Fused {
        /// The kernel.
        name: String,
    },
    /// The dependency would not resolve.
    #[error("{} is not the folder of windrow's sources: {error}\nhelp: name it with `--windrow FOLDER`", path.display())]
    Sources {
        /// The folder.
        path: PathBuf,
        /// What was wrong with it.
        error: io::Error,
    },
    /// The file system refused.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// There is no Cargo.
    #[error("cannot run {program}: {error}")]
    NoCargo {
        /// What was to be run.
        program: String,
        /// What the system said.
        error: io::Error,
    },
    /// The crate was not built, or its program failed: it has said why.
    #[error(
        "the benchmark in {} ended with {status}\nhelp: the file must compile by itself, with no crates but `windrow` and `windrow_operators`",
        folder.display()
    )]
    Failed {
        /// The crate's folder.
        folder: PathBuf,
        /// How it ended.
        status: ExitStatus,
    },
    /// The program printed something else.
    #[error("the benchmark printed a line that is not a result: {0}")]
    Line(
        /// The line.
        String,
    ),
}
