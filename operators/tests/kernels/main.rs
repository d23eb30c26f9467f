//! The generated tests of every kernel of the library, and what every operator must have.

mod requirements;

use windrow_operators as library;

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
