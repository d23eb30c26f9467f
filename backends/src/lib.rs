//! The emitters of windrow: from checked IR to text.

extern crate proc_macro;

mod bounded;
#[cfg(feature = "doors")]
pub mod doors;
pub mod host;
mod limits;
mod lines;
pub mod namer;
pub mod neon;
pub mod opencl;
mod pairs;
mod reductions;
pub mod rows;
pub mod scalar;
mod scopes;
mod signature;
mod target;
pub mod targets;
pub mod text;
mod value_name;
mod vector;
pub mod x86;

/// The code of the package's README, compiled as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
