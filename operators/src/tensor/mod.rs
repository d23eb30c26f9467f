//! Activations of tensors.
pub mod relu;
