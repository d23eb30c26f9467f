//! Composite functions: several operators, with the images between them in managed memory or in bands.
//!
//! Ordinary Rust over [`windrow::function`]: no kernel is written here.

mod gaussian_pyramid;
mod unsharp_mask;

pub use gaussian_pyramid::{GaussianPyramid, Levels};
pub use unsharp_mask::{UnsharpMask, UnsharpSettings};
