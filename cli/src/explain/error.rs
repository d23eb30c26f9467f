//! Why nothing was explained.

use crate::selection::SelectionError;
use std::{io, path::PathBuf};

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// There is nothing to look at.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A page has one source.
    #[error("error: a page shows one file, and `{}` is a folder: name a file of it", .0.display())]
    Folder(
        /// As it was given.
        PathBuf,
    ),
    /// The source can't be read once more.
    #[error("error: cannot read `{}`: {error}", path.display())]
    Read {
        /// As it was given.
        path: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// The page can't be written.
    #[error("error: cannot write `{}`: {error}", path.display())]
    Write {
        /// As it was given.
        path: PathBuf,
        /// The system's word.
        error: io::Error,
    },
}

impl ExplainError {
    /// The exit status: 1 where the author's kernels are at fault, 2 where the command is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Selection(error) => error.status(),
            Self::Folder(_) | Self::Read { .. } | Self::Write { .. } => 2,
        }
    }
}
