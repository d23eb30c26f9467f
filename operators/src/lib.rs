//! The operator library: each operator written once, in the language that every author has.
//!
//! Formulas, rounding and borders: `docs/semantics.md`.
pub mod arithmetic;
pub mod bitwise;
pub mod colour;
pub mod filter;
pub mod gradient;
pub mod pixelwise;
pub mod tensor;
