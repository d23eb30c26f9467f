//! The shape of what each operator writes, by the shapes of what it reads.

mod at;
mod infer;
mod inputs;
mod parts;
mod placed;
mod windows;

pub(crate) use at::{Placed, places};
pub(crate) use infer::infer;
pub(crate) use inputs::{Inputs, MAX_RANK, Wrong, check};
pub(crate) use parts::{dimension, elements, padded, part, reduced, transposition};
pub(crate) use placed::{Resized, resized};
pub(crate) use windows::{Laid, transposed};
