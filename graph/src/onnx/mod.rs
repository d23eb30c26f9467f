//! ONNX files.
//!
//! The reader of the format is this crate's own: it needs a few messages of it, and must neither recurse nor copy what a file that
//! nobody trusts says.

mod attributes;
mod custom;
mod cuts;
mod import;
mod integers;
mod later;
mod made;
mod numbers;
mod operators;
mod places;
mod proto;
mod qdq;
mod quantized;
mod resizing;
mod tensor;
mod types;
mod wire;

pub(crate) use import::read;
pub(crate) use later::known;
