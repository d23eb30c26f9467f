//! `windrow plan`: a network's plan in a folder, to be run on any processor.

use std::{io, path::PathBuf};

use clap::Args;

use crate::network::{Network, NetworkError};

/// Plans a network, and writes the plan to a folder that `windrow run` takes in place of the model, on any processor.
#[derive(Debug, Args)]
pub struct WritePlan {
    #[command(flatten)]
    network: Network,
    /// The folder, which is made if it is not there: `plan.json` has the steps, `constants.bin` the constants.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

/// Why no plan was written.
#[derive(Debug, thiserror::Error)]
pub enum WritePlanError {
    /// There is no plan.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// It can't be written.
    #[error("cannot write the plan to `{}`: {error}", folder.display())]
    Write {
        /// The folder.
        folder: PathBuf,
        /// The system's word.
        error: io::Error,
    },
}

impl WritePlan {
    /// What is to be printed.
    pub fn run(&self) -> Result<String, WritePlanError> {
        let plan = self.network.plan()?;
        plan.save(&self.output).map_err(|error| WritePlanError::Write { folder: self.output.clone(), error })?;
        let (folder, steps) = (self.output.display(), plan.steps().len());
        Ok(format!(
            "{folder}: {steps} steps, {:.1} MB of constants, {:.1} MB of intermediates\n",
            plan.constant_bytes() as f64 / 1e6,
            plan.intermediate_bytes() as f64 / 1e6
        ))
    }
}
