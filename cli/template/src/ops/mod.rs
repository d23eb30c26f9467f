//! The operators: one file a theme.

pub mod sharpen;
