//! Why kernels were not timed.

use std::{io, path::PathBuf, process::ExitStatus};

/// How a pipeline is timed.
pub const OF_PIPELINES: &str =
    "time its `apply` beside the function itself in a program of your own (docs/pipelines.md, Measuring it)";

/// Why kernels were not timed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The benchmark's crate can't name it.
    #[error(
        "error: the kernel `{kernel}` in {} is private, so that the benchmark can't name it\nhelp: make it and its modules `pub`",
        file.display()
    )]
    Private {
        /// The kernel.
        kernel: String,
        /// Its file.
        file: PathBuf,
    },
    /// There is nothing that a benchmark can name.
    #[error(
        "error: `{}` has no kernel of its own, but {}: `windrow bench` times kernels\nhelp: {OF_PIPELINES}",
        file.display(),
        list_of(pipelines)
    )]
    OnlyPipelines {
        /// The file or folder.
        file: PathBuf,
        /// Its pipelines.
        pipelines: Vec<String>,
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
        "the benchmark in {} ended with {status}\nhelp: the file must compile by itself, with no crate but `windrow`",
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

/// ``the pipeline `edges` ``, or several of them.
fn list_of(pipelines: &[String]) -> String {
    let names: Vec<String> = pipelines.iter().map(|name| format!("`{name}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("the pipeline{plural} {}", names.join(", "))
}
