//! What the tests of the compiler share: the cases of mistakes, the mutation of kernels, and the check of an input.

pub mod cases;
pub mod mutate;
pub mod probe;
