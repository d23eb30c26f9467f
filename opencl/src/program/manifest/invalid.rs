//! Everything that can be wrong with a folder of kernels.

use crate::{Digest, InvalidOption, program::manifest::FORMAT};
use std::{io, path::PathBuf};

/// Why kernels can't be read from a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum InvalidFolder {
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", file.display())]
    Io { file: PathBuf, error: io::Error },
    /// A manifest that is none.
    #[error("`{}` is no manifest: {error}", file.display())]
    Manifest { file: PathBuf, error: serde_json::Error },
    /// A manifest of another version.
    #[error("the manifest has form {found}, this version reads {FORMAT}")]
    Format { found: u32 },
    /// A kernel that the folder doesn't hold.
    #[error("the folder holds no kernel `{kernel}`")]
    NoKernel { kernel: String },
    /// A name that leads out of the folder.
    #[error("the program of `{kernel}` is named `{file}`, which is no name of a file in the folder")]
    NoFileName { kernel: String, file: String },
    /// A program that changed since the manifest was written.
    #[error("`{}` has the SHA-256 {found}, the manifest says {expected}", file.display())]
    Changed { file: PathBuf, expected: String, found: Digest },
    /// A program that isn't text.
    #[error("`{}` is no UTF-8", file.display())]
    NoText { file: PathBuf },
    /// Options that a program can't be built with.
    #[error("the program of `{kernel}` can't be built: {error}")]
    Options { kernel: String, error: InvalidOption },
    /// Entry points that the kernel's code would not call rightly.
    #[error(
        "the folder's `{kernel}` has other entry points than the kernel that was compiled: generate the folder anew"
    )]
    Entries { kernel: String },
}
