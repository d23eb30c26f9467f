//! `windrow explain`: the proof of each body, and what each target makes of it, as text or as a page.
//!
//! [`facts`] holds what is known of a kernel; [`text`] prints it, and [`page`] puts it beside the author's source. [`pipeline`] draws
//! what pipelines do with kernels.

pub(crate) mod error;
mod facts;
mod page;
mod pipeline;
mod text;

use crate::{
    error::Error,
    selection::{Located, Selection, SelectionError},
};
use clap::{Args, builder::PossibleValuesParser};
use error::ExplainError;
use facts::Facts;
use std::{fs, path::PathBuf};
use windrow_backends::targets::by_default;
use windrow_dsl::pipeline::Outline;

/// Prints what is known of each value, how each obligation was proved, and each target's instructions.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    selection: Selection,
    /// Print what one target makes of the kernels; left out, each target's instructions.
    #[arg(long, value_parser = targets(), conflicts_with = "html")]
    target: Option<String>,
    /// Write a page for a browser, with the code of every target beside the source. It holds all that it shows.
    #[arg(long)]
    html: bool,
    /// The page's file; it is printed, where this is left out.
    #[arg(long, short, value_name = "FILE", requires = "html")]
    output: Option<PathBuf>,
}

/// The targets that a report is about.
fn targets() -> PossibleValuesParser {
    PossibleValuesParser::new(by_default().map(|target| target.name).chain(["opencl", "opencl-images"]))
}

impl Explain {
    /// What is known about all kernels meant.
    ///
    /// # Errors
    /// There is no such kernel, or the page can't be written.
    pub fn run(&self) -> Result<String, Error> {
        if self.html {
            return Ok(self.page()?);
        }
        let pipelines = self.selection.pipelines()?;
        let kernels = self.kernels(&pipelines)?;
        let reports =
            kernels.iter().map(|located| Ok(text::report(&Facts::of(&located.kernel)?, self.target.as_deref())));
        let drawn = pipelines.iter().map(|outline| Ok(pipeline::report(outline)));
        Ok(drawn.chain(reports).collect::<Result<Vec<_>, Error>>()?.join("\n"))
    }

    /// The kernels; none of a file whose pipelines fuse nothing, which are seen all the same.
    fn kernels(&self, pipelines: &[Outline]) -> Result<Vec<Located>, SelectionError> {
        match self.selection.kernels() {
            Err(SelectionError::NoKernel(_) | SelectionError::UnknownKernel { .. }) if !pipelines.is_empty() => {
                Ok(Vec::new())
            }
            kernels => kernels,
        }
    }

    /// The page, or where it was written.
    fn page(&self) -> Result<String, ExplainError> {
        let file = &self.selection.file;
        if file.is_dir() {
            return Err(ExplainError::Folder(file.clone()));
        }
        let pipelines = self.selection.pipelines()?;
        let kernels = self.kernels(&pipelines)?;
        let source = fs::read_to_string(file).map_err(|error| ExplainError::Read { path: file.clone(), error })?;
        let facts = kernels.iter().map(|located| Facts::of(&located.kernel)).collect::<Result<Vec<_>, _>>()?;
        let pictures: String = pipelines.iter().map(pipeline::picture).collect();
        let page = page::write(file, &source, &facts, &pictures)?;
        let Some(output) = &self.output else { return Ok(page) };
        fs::write(output, &page).map_err(|error| ExplainError::Write { path: output.clone(), error })?;
        Ok(format!("page: {}\n", output.display()))
    }
}
