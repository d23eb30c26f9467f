//! Activations of tensors, and their layouts.
pub mod pack_channels;
pub mod relu;
