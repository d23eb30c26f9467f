//! What the tests of the compiler share: the cases of mistakes, and the mutation of sources.

pub mod cases;
