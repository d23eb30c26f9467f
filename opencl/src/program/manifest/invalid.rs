//! Everything that can be wrong with a folder of kernels.

use crate::program::{digest::Digest, manifest::FORMAT, options::InvalidOption};
use std::{io, path::PathBuf};

/// Why kernels can't be read from a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidFolder {
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// A manifest that is none.
    #[error("`{}` is no manifest: {error}", file.display())]
    Manifest {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A manifest of another version.
    #[error("the manifest has form {found}, this version reads {FORMAT}")]
    Format {
        /// The manifest's.
        found: u32,
    },
    /// A kernel that the folder doesn't hold.
    #[error("the folder holds no kernel `{kernel}`")]
    NoKernel {
        /// Its name.
        kernel: String,
    },
    /// A name that leads out of the folder.
    #[error("the program of `{kernel}` is named `{file}`, which is no name of a file in the folder")]
    NoFileName {
        /// The kernel.
        kernel: String,
        /// The name.
        file: String,
    },
    /// A program that changed since the manifest was written.
    #[error("`{}` has the SHA-256 {found}, the manifest says {expected}", file.display())]
    Changed {
        /// The file.
        file: PathBuf,
        /// What the manifest says.
        expected: String,
        /// What the file has.
        found: Digest,
    },
    /// A program that is no text.
    #[error("`{}` is no UTF-8", file.display())]
    NoText {
        /// The file.
        file: PathBuf,
    },
    /// Options that a program can't be built with.
    #[error("the program of `{kernel}` can't be built: {error}")]
    Options {
        /// The kernel.
        kernel: String,
        /// Which, and why.
        error: InvalidOption,
    },
    /// Entry points that the kernel's code would not call rightly.
    #[error(
        "the folder's `{kernel}` has other entry points than the kernel that was compiled: generate the folder anew"
    )]
    Entries {
        /// The kernel.
        kernel: String,
    },
}
