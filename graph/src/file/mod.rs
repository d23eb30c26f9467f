//! Plans in files: JSON that says the steps, and the constants behind one another.
//!
//! What is written is what a model is lowered to: each step with the operator of the library that computes it, its numbers, and where its
//! tensors lie. So reading needs neither the model nor the passes; what depends on the processor, kernels and packed constants, is made again
//! there, and the memory of the intermediates is planned again. [`form`] is the form of the JSON, and [`constants`] that of the other file.

mod check;
mod constants;
mod error;
mod form;
mod read;
mod write;

pub use error::PlanFileError;

/// The names of a plan's files in their folder.
const NAMES: [&str; 2] = ["plan.json", "constants.bin"];
