//! The `windrow` command: what becomes of the kernels in a Rust file.
//!
//! A subcommand is one file: its arguments, what it prints, and why it can't. All read kernels through [`selection`] but
//! `new`, which makes a crate, `pack`, which builds programs that a build script wrote, and `run`, `plan` and `graph`, which
//! are about networks.

use clap::{Parser, Subcommand};
use std::{io::Write, process::ExitCode};

mod bench;
mod cost;
mod emit;
mod error;
mod escape;
mod explain;
#[cfg(feature = "networks")]
mod graph;
#[cfg(feature = "networks")]
mod network;
mod new;
mod pack;
#[cfg(feature = "networks")]
mod plan;
#[cfg(feature = "networks")]
mod run;
mod selection;
mod sources;

use error::Error;

/// Shown below the help.
const EXAMPLES: &str = "\
Examples:
  windrow new my-operators                                       a crate with a kernel, tests, a benchmark and an application
  windrow emit src/lib.rs --target neon                          the intrinsics of every kernel
  windrow emit src/lib.rs --kernel gaussian3x3 --target opencl   one kernel's OpenCL C
  windrow explain src/lib.rs --kernel gaussian3x3                its values, proofs and instructions
  windrow explain --html src/lib.rs -o lib.html                  the same beside the source and each target's code, for a browser
  windrow cost src/lib.rs --against main                         instructions and cycles of all, and what has changed
  windrow bench src/lib.rs --kernel gaussian3x3                  its times on every target of this machine, and a chart
  windrow pack target/kernels --output kernels.pack              every OpenCL program, built for this device
And of networks (built with `--features networks`):
  windrow run mobilenet.tflite photo.jpg                         what is on a photograph, and how long it took to see
  windrow run mobilenet.tflite photo.jpg --trace run.json        when each step ran, for Perfetto or `chrome://tracing`
  windrow plan mobilenet.tflite -o mobilenet                     its plan in a folder, which `run` takes on any processor
  windrow graph mobilenet.tflite --html mobilenet.html           its steps, what is fused, and its memory over time";

/// Prints what windrow makes of the kernels in a Rust file.
#[derive(Debug, Parser)]
#[command(name = "windrow", version, after_help = EXAMPLES)]
struct Windrow {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    New(new::New),
    Emit(emit::Emit),
    Explain(explain::Explain),
    Cost(cost::Cost),
    Bench(bench::Bench),
    Pack(pack::PackKernels),
    #[cfg(feature = "networks")]
    Run(run::Run),
    #[cfg(feature = "networks")]
    Plan(plan::WritePlan),
    #[cfg(feature = "networks")]
    Graph(graph::Graph),
}

impl Command {
    /// What is to be printed.
    fn run(&self) -> Result<String, Error> {
        match self {
            Self::New(new) => Ok(new.run()?),
            Self::Emit(emit) => emit.run(),
            Self::Explain(explain) => explain.run(),
            Self::Cost(cost) => cost.run(),
            Self::Bench(bench) => bench.run(),
            Self::Pack(pack) => pack.run(),
            #[cfg(feature = "networks")]
            Self::Run(run) => Ok(run.run()?),
            #[cfg(feature = "networks")]
            Self::Plan(plan) => Ok(plan.run()?),
            #[cfg(feature = "networks")]
            Self::Graph(graph) => Ok(graph.run()?),
        }
    }
}

fn main() -> ExitCode {
    match Windrow::parse().command.run() {
        // A reader that closes its end early has seen enough.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        },
        Err(error) => {
            eprintln!("{}", told(&error.to_string()));
            ExitCode::from(error.status())
        }
    }
}

/// The text of an error. One of several mistakes says `error:` before each of them itself.
fn told(text: &str) -> String {
    if text.starts_with("error") { text.to_owned() } else { format!("error: {text}") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_error_says_that_it_is_one() {
        assert_eq!(super::told("cannot write `a`"), "error: cannot write `a`");
        assert_eq!(super::told("error: cannot read `a`"), "error: cannot read `a`");
    }

    #[test]
    fn the_command_is_well_formed() {
        <super::Windrow as clap::CommandFactory>::command().debug_assert();
    }
}
