//! Activations of tensors, and their layouts.
pub mod clip;
pub mod elu;
pub mod gelu;
pub mod hard;
pub mod leaky_relu;
pub mod linear;
pub mod pack_channels;
pub mod relu;
pub mod shrink;
pub mod sigmoid;
pub mod softplus;
