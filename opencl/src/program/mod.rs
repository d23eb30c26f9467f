//! Programs: built once for a device, and kept.
//!
//! [`ProgramSource`] is a program's text, generated or written by hand; of a generated kernel there are several, one a
//! [`ProgramForm`]. [`Programs`], which every context has, gives the
//! [`Program`] built of it: from memory, from a [`Pack`], from a [`CacheFolder`], or by building it. What a program
//! depends on is its [`ProgramKey`]; where one of its parts differs, it is built anew. What was stored and not used is in
//! the [`CacheReport`], never an error.

mod cache;
mod compile;
mod digest;
mod files;
mod folder;
mod form;
mod identity;
mod key;
mod lines;
pub(crate) mod log;
mod manifest;
pub(crate) mod options;
mod pack;
mod programs;
mod record;
mod rejection;
mod source;

pub use compile::Program;
pub use digest::{Digest, InvalidDigest};
pub(crate) use files::{open_lock, read_plain, write_whole};
pub use folder::CacheFolder;
pub use form::ProgramForm;
#[cfg(test)]
pub(crate) use identity::tests::identity as test_identity;
pub use identity::{DeviceIdentity, Difference};
pub use key::{Mismatch, ProgramKey};
pub use lines::LineTable;
pub use log::{AuthorLine, BuildMessage, Severity};
pub use manifest::{InvalidFolder, KERNELS_VARIABLE, KernelFolder};
pub use options::{BuildOptions, InvalidOption};
pub use pack::Pack;
pub(crate) use programs::Kept;
pub use programs::Programs;
pub use record::Record;
pub use rejection::{CacheReport, Rejected, Rejection, Unsaved};
pub use source::ProgramSource;

#[cfg(test)]
mod tests;
