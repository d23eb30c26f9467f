//! What the tests of the compiler share: the cases of mistakes, the mutation of kernels, the check of an input, and of many;
//! and the public names of the facade.

pub mod api;
pub mod cases;
pub mod fuzz;
pub mod mutate;
pub mod probe;
