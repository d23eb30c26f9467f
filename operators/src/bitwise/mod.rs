//! Bitwise operations of images.
pub mod and;
pub mod not;
pub mod or;
pub mod xor;
