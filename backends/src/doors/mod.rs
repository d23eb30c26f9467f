//! The doors to the compiler beside the macro: [`build`] for build scripts, and what the command line (`cli/`) rests on.
//!
//! Both read Rust files, find the kernels in them, and write what the macro would write: text comes from the IR alone,
//! so it is the same through every door.

pub mod assembly;
pub mod build;
pub mod crates;
pub mod instructions;
mod list;
pub mod manifest;
pub mod mistake;
pub mod source;

pub use build::{Build, BuildError};
pub use manifest::Manifest;
pub use mistake::Mistake;
