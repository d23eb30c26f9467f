//! Why a command printed nothing; and its exit status.

use crate::selection::SelectionError;

/// Why nothing was printed. Every subcommand has its own variant for what only it can meet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing to look at.
    #[error(transparent)]
    Selection(#[from] SelectionError),
}

impl Error {
    /// The exit status: 1 where the author's kernels are at fault, 2 where the command is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Selection(error) => error.status(),
        }
    }
}
