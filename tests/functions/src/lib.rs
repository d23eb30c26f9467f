//! The errors of the elementary functions: how far each is from the exact value, in units of the last place.
//!
//! The exact values are those of binary64, whose own errors are below 2^-28 of such a unit. The kernels' results are compared with the
//! functions that rustc compiles, bit for bit, on the way. The program `ulp` does this for every argument; the tests for a part.

pub mod kernels;
pub mod measure;
pub mod table;
