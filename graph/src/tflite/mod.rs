//! TFLite files.
//!
//! The reader of the format is this crate's own: it needs a few of its tables, and must not panic on a file that nobody trusts.

mod custom;
mod flat;
mod flexbuffer;
mod import;
mod operators;
mod schema;

pub(crate) use import::read;
pub(crate) use schema::is_file;
