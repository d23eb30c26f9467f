//! Why a command printed nothing; and its exit status.

use crate::{
    bench::error::BenchError, cost::error::CostError, explain::error::ExplainError, new::NewError, pack::PackError,
    selection::SelectionError,
};

/// Why nothing was printed. Every subcommand has its own variant for what only it can meet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no new crate.
    #[error(transparent)]
    New(#[from] NewError),
    /// There is nothing to look at.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// There is no page.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// A tool that measures is missing, or failed.
    #[error(transparent)]
    Cost(#[from] CostError),
    /// Kernels were not timed.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A network was not run.
    #[cfg(feature = "networks")]
    #[error(transparent)]
    Run(#[from] crate::run::RunError),
    /// No plan was written.
    #[cfg(feature = "networks")]
    #[error(transparent)]
    Plan(#[from] crate::plan::WritePlanError),
    /// A network was not drawn.
    #[cfg(feature = "networks")]
    #[error(transparent)]
    Graph(#[from] crate::graph::GraphError),
    /// A folder's programs can't be built here.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl Error {
    /// The exit status: 1 where the author's kernels are at fault, 2 where the command is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Selection(error) => error.status(),
            Self::Explain(error) => error.status(),
            Self::Bench(BenchError::Private { .. }) => 1,
            Self::New(_) | Self::Cost(_) | Self::Bench(_) => 2,
            Self::Pack(error) => error.status(),
            #[cfg(feature = "networks")]
            Self::Run(_) | Self::Plan(_) | Self::Graph(_) => 2,
        }
    }
}
