//! The operators: one file a theme.
pub mod light;
pub mod sharpen;
pub mod tone;
