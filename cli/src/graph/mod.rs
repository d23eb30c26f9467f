//! `windrow graph`: what a network is planned to, as text or as a page: its steps, what is fused into each, and its memory.
//!
//! [`text`] prints it; [`page`] writes it for a browser, with [`memory`]'s picture of the buffers over the steps.

mod memory;
mod page;
mod text;

use std::{fs, io, path::PathBuf};

use clap::Args;
use windrow_graph::{Access, Root, Step};

use crate::network::{Network, NetworkError};

/// Prints what a network is planned to: its steps in order, their shapes, and what is fused into each.
#[derive(Debug, Args)]
pub struct Graph {
    #[command(flatten)]
    network: Network,
    /// Write a page for a browser to this file instead, with a picture of the memory over time. It holds all that it shows.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Why a network was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// There is no plan.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The page can't be written.
    #[error("cannot write `{}`: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
}

impl Graph {
    /// What is to be printed.
    pub fn run(&self) -> Result<String, GraphError> {
        let plan = self.network.plan()?;
        let Some(file) = &self.html else { return Ok(text::report(&plan)) };
        let page = page::write(self.network.path(), &self.network.name().to_string_lossy(), &plan);
        fs::write(file, page).map_err(|error| GraphError::Write { file: file.clone(), error })?;
        Ok(format!("page: {}\n", file.display()))
    }
}

/// `1×56×56×24`.
fn extents(extents: &[usize]) -> String {
    match extents {
        [] => "one number".to_owned(),
        extents => extents.iter().map(usize::to_string).collect::<Vec<_>>().join("×"),
    }
}

/// A tensor's extents and type.
fn typed(access: &Access<'_>) -> String {
    format!("{} {}", extents(access.extents), access.element.name())
}

/// What a step reads that a run computes or is given: constants are the step's own.
fn values(step: &Step) -> impl Iterator<Item = Access<'_>> {
    step.reads().filter(|read| !matches!(read.root, Root::Constant(_)))
}

/// Where a tensor lies, in words.
fn place(root: Root) -> String {
    match root {
        Root::Input(input) => format!("input {input}"),
        Root::Output(output) => format!("output {output}"),
        Root::Constant(constant) => format!("constant {constant}"),
        Root::Memory(buffer) => format!("buffer {buffer}"),
    }
}
