//! SWAR, SIMD within a register: two 16-bit values of a body share one 32-bit word.
//!
//! For machines that compute on 32-bit scalars alone. Images are read and written as words; a **cell** is the least run
//! of elements that fills whole words: 4 bytes, or 2 elements of 16 bits where no image holds bytes. A **pair** is the
//! word of two elements of one cell: 0 and 2 in its even pair and 1 and 3 in its odd one, or 0 and 1 of 16-bit elements.
//! [`swar`] gives the body that computes a cell; an emitter puts as many cells side by side as it likes.
//!
//! A pair holds Σ (vᵢ + bias)·2^16ᵢ modulo 2³². That sum is linear: additions, subtractions and products with a constant
//! need no masks, whatever their signs and however far they go between. Where a pair meets anything else, each half must
//! lie in 0..=65535, which is proved from intervals; the bias moves it there. A body with a value that cannot be proved
//! to fit has no such form.

mod arithmetic;
mod images;
mod operations;
mod packer;
mod pair;
#[cfg(test)]
mod tests;

pub use packer::{Swar, swar};
