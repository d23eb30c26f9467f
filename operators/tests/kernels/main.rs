//! The generated tests of every kernel of the library and of some pipelines of them, and what every operator must have.

mod pipelines;
mod requirements;

use windrow_operators as library;

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
