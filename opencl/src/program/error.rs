//! Why a program can't be had.

use crate::{BuildMessage, DriverError, InvalidOption, MissingFeature};

/// Why a kernel's program can't be had for a device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum BuildError {
    /// A call of the library.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The device lacks what the program needs.
    #[error(transparent)]
    NoFeature(#[from] MissingFeature),
    /// The driver refused the source.
    #[error(
        "the OpenCL program of `{kernel}` does not build on {device} with `{options}`:\n{}{log}",
        messages.iter().map(|message| format!("{message}\n")).collect::<String>()
    )]
    Refused {
        kernel: String,
        /// `platform / device`.
        device: String,
        options: String,
        /// What was read out of the log, with the author's lines where the program knows them.
        messages: Vec<BuildMessage>,
        log: String,
    },
    /// A kernel that was to be read from a folder.
    #[error("kernels are read from a folder here: {reason}")]
    Kernels { reason: String },
    /// The device's floats can't give the same bits as the reference.
    #[error("{device} cannot run `{kernel}` to the bit: its floats lack {}", lacks.join(", "))]
    Inexact {
        /// `platform / device`.
        device: String,
        kernel: String,
        lacks: Vec<&'static str>,
    },
    /// A program of another source than the kernel's, or built with options of its own.
    #[error(
        "the program is not that of `{kernel}`: it was built of source {program} or with other options, expected {expected}"
    )]
    OtherProgram {
        kernel: &'static str,
        /// The digest of the program's source.
        program: String,
        /// The digest of the kernel's own source.
        expected: String,
    },
    /// Options that contradict each other, or that no program takes.
    #[error(transparent)]
    Option(#[from] InvalidOption),
    /// A name or a source holds a NUL byte.
    #[error("{what} holds a NUL byte, which OpenCL cannot take")]
    Nul { what: &'static str },
}

impl BuildError {
    /// Returns whether this says that the machine lacks something, rather than that something failed.
    pub fn is_absence(&self) -> bool {
        match self {
            Self::Driver(error) => error.is_absence(),
            error => matches!(error, Self::NoFeature(_)),
        }
    }
}
