//! Why a stored program was not used, and the report that says so.

use crate::Mismatch;
use std::path::PathBuf;

/// Why a stored program was not used. It is never an error: the program is built from its source instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum Rejection {
    /// The system gave no bytes.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// A file that doesn't begin as one of ours.
    #[error("this is no file of programs")]
    NotACache,
    /// A form that this version doesn't read.
    #[error("the file has form {found}, this version reads {expected}")]
    Version { found: u32, expected: u32 },
    /// The file ends within a record.
    #[error("the file ends within a record")]
    Truncated,
    /// A record whose bytes changed.
    #[error("a record is not what was written: its SHA-256 differs")]
    Checksum,
    /// A record in another form.
    #[error("a record has another form")]
    Malformed,
    /// A record of another source, other options or another device.
    #[error("built for {0}")]
    Foreign(Mismatch),
    /// The driver doesn't take the binary.
    #[error("the driver refused the binary: {0}")]
    Refused(String),
}

/// A stored program that was not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The file that it stands in.
    pub file: PathBuf,
    /// The kernel that was wanted; empty for a file as a whole.
    pub kernel: String,
    /// The reason.
    pub reason: Rejection,
}

/// A program that could not be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaved {
    /// The kernel.
    pub kernel: String,
    /// What went wrong.
    pub reason: String,
}

/// What a cache did. The lists keep the last 256.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheReport {
    /// Programs built from their source.
    pub builds: usize,
    /// Programs that were there already.
    pub from_memory: usize,
    /// Programs loaded from the folder.
    pub from_folder: usize,
    /// Programs loaded from a pack.
    pub from_packs: usize,
    /// Programs written to the folder.
    pub saved: usize,
    /// Kernels whose embedded texts were taken, because the folder that kernels are read from lacks them.
    pub embedded: Vec<String>,
    /// Stored programs that were not used.
    pub rejected: Vec<Rejected>,
    /// Programs that could not be stored.
    pub unsaved: Vec<Unsaved>,
}

const KEPT: usize = 256;

impl CacheReport {
    pub(super) fn reject(&mut self, rejected: Rejected) {
        keep_last(&mut self.rejected, rejected);
    }

    pub(super) fn note_embedded(&mut self, kernel: String) {
        if !self.embedded.contains(&kernel) {
            keep_last(&mut self.embedded, kernel);
        }
    }

    pub(super) fn fail_to_save(&mut self, unsaved: Unsaved) {
        keep_last(&mut self.unsaved, unsaved);
    }
}

fn keep_last<T>(list: &mut Vec<T>, last: T) {
    if list.len() >= KEPT {
        list.remove(0);
    }
    list.push(last);
}
