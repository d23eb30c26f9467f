//! Programs: built once for a device, and kept.
//!
//! [`ProgramSource`] is a program's text, generated or written by hand; of a generated kernel there are several, one a
//! [`ProgramForm`]. [`Programs`], which every context has, gives the
//! [`Program`] built of it: from memory, from a [`Pack`], from a [`CacheFolder`], or by building it. What a program
//! depends on is its [`ProgramKey`]; where one of its parts differs, it is built anew. What was stored and not used is in
//! the [`CacheReport`], never an error.

pub(crate) mod cache;
pub(crate) mod compile;
pub(crate) mod digest;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod form;
pub(crate) mod identity;
pub(crate) mod key;
pub(crate) mod lines;
pub(crate) mod log;
pub(crate) mod manifest;
pub(crate) mod options;
pub(crate) mod pack;
pub(crate) mod programs;
pub(crate) mod record;
pub(crate) mod rejection;
pub(crate) mod source;

pub use compile::Program;
pub use digest::{Digest, InvalidDigest};
pub use error::BuildError;
pub use folder::CacheFolder;
pub use form::ProgramForm;
pub use identity::DeviceIdentity;
#[cfg(test)]
pub(crate) use identity::tests::identity as test_identity;
pub use key::{Mismatch, ProgramKey};
pub use lines::LineTable;
pub use log::{AuthorLine, BuildMessage, Severity};
pub use manifest::{InvalidFolder, KERNELS_VARIABLE, KernelFolder};
pub use options::{BuildOptions, InvalidOption};
pub use pack::Pack;
pub use programs::Programs;
pub use record::Record;
pub use rejection::{CacheReport, Rejected, Rejection, Unsaved};
pub use source::ProgramSource;

#[cfg(test)]
mod tests;
