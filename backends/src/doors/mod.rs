//! The doors to the compiler beside the macro: [`build`] for build scripts, [`command`] for the command line.
//!
//! Both read Rust files, find the kernels in them, and write what the macro would write: text comes from the IR alone,
//! so it is the same through every door.

pub mod build;
pub mod command;
mod explain;
pub mod instructions;
mod list;
pub mod manifest;
pub mod mistake;
pub mod source;

pub use build::{Build, BuildError};
pub use manifest::Manifest;
pub use mistake::Mistake;
