//! The scalar meaning of every builtin of windrow, and of every border.
//!
//! What Rust's core lacks or leaves open is defined here, once: the prelude's traits call it, the tests of every target
//! compare with it. Nothing here allocates; without the feature `std` nothing needs the standard library.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod border;
pub mod functions;
pub mod limits;
pub mod policy;
pub mod reduce;
pub mod scalar;
#[cfg(feature = "testing")]
pub mod testing;
pub mod traits;

pub use half::{bf16, f16};

/// The text of [`scalar`], for tools that compile a kernel's body without a crate around it.
pub const SCALAR_SOURCE: &str = include_str!("scalar.rs");
