//! `windrow probe`: a child process that builds and runs one OpenCL program, for an application that has no executable of
//! its own to start again.
//!
//! The parent is `Probe` of the runtime: it writes the question to this command's input, and reads what it tells. There is
//! nothing to type.

use crate::error::Error;
use clap::Args;
use std::io::{self, IsTerminal};
use windrow_opencl::{InvalidQuestion, answer_probe};

/// Builds and runs one OpenCL program for an application, which survives where this command doesn't.
///
/// An application starts it: `Probe::command("windrow").with_argument("probe")`.
#[derive(Debug, Args)]
pub struct ProbeProgram {}

/// Why nothing was tried.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// A person started it.
    #[error("an application starts `windrow probe`, and writes to its input what to try: see `Probe` in the runtime")]
    Terminal,
    /// The input holds no question.
    #[error(transparent)]
    Question(#[from] InvalidQuestion),
}

impl ProbeProgram {
    /// Tells what becomes of the program, while it is tried; nothing is left to print.
    ///
    /// # Errors
    /// A [`ProbeError`]. What becomes of the program is no error here.
    pub fn run(&self) -> Result<String, Error> {
        let input = io::stdin().lock();
        if input.is_terminal() {
            return Err(ProbeError::Terminal.into());
        }
        answer_probe(input, io::stdout().lock()).map_err(ProbeError::from)?;
        Ok(String::new())
    }
}
