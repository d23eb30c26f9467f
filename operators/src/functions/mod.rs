//! Composite functions: several operators, with the images between them in managed memory, in bands, or on a device.
//!
//! Ordinary Rust over [`windrow::chain`], and pipelines: no kernel is written here.

mod equalize_histogram;
mod gaussian_pyramid;
mod layers;
mod packed_channels;
mod quantized_layers;
mod unsharp_mask;

pub use equalize_histogram::EqualizeHistogram;
pub use gaussian_pyramid::{GaussianPyramid, Levels};
pub use layers::*;
pub use packed_channels::{PackChannels, UnpackChannels};
pub use quantized_layers::*;
pub use unsharp_mask::{UnsharpMask, UnsharpSettings};
