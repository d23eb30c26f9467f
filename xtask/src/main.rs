//! The tasks of this workspace: `cargo xtask list`, `cargo xtask setup`, `cargo xtask test`.
//!
//! A stage of the tests is a row of the table in `stages.rs` and a function in `stages/`.

mod context;
mod failures;
mod lanes;
mod needs;
mod queue;
mod setup;
mod stage;
mod stages;
mod summary;

use std::{path::Path, process::ExitCode};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use stage::Stage;

/// The tasks of this workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Lists the stages of the tests: what each one shows, and what it needs.
    List,
    /// Installs what the stages need, and says what that is: packages of apt, targets, components, nightly Rust.
    Setup {
        /// Only says what would be installed.
        #[arg(long)]
        dry_run: bool,
        /// The stages to prepare for; without any, those that `test` runs.
        #[arg(value_parser = stages::parser())]
        stages: Vec<&'static Stage>,
    },
    /// Runs stages: the named ones one after the other, or all of them in lanes side by side.
    Test {
        /// Runs the remaining stages after one has failed.
        #[arg(long)]
        keep_going: bool,
        /// Allows stages to be left out where something that they need is missing.
        #[arg(long)]
        allow_missing: bool,
        /// The stages to run; without any, all of them.
        #[arg(value_parser = stages::parser())]
        stages: Vec<&'static Stage>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the task succeeded.
fn run(task: Task) -> anyhow::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask is a folder of the workspace")?;
    match task {
        Task::List => {
            stages::list();
            Ok(true)
        }
        Task::Setup { dry_run, stages } => setup::setup(&stages::selected(stages), dry_run).map(|()| true),
        Task::Test { keep_going, allow_missing, stages } => {
            let options = lanes::Options { keep_going, allow_missing };
            let outcomes = if stages.is_empty() {
                lanes::run_side_by_side(root, options)?
            } else {
                lanes::run_in_turn(root, &stages, options)?
            };
            Ok(summary::print(&outcomes, options))
        }
    }
}
