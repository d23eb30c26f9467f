//! What the tests of the compiler share: the cases of mistakes, the mutation of kernels, the check of an input, and of many.

pub mod cases;
pub mod fuzz;
pub mod mutate;
pub mod probe;
