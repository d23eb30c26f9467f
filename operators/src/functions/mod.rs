//! Composite functions: several operators, with the images between them in managed memory, in bands, or on a device.
//!
//! Ordinary Rust over [`windrow::chain`], and pipelines: no kernel is written here.

mod canny_edge;
mod equalize_histogram;
mod fast_corners;
mod gaussian_pyramid;
mod harris_corners;
mod laplacian_pyramid;
#[cfg(feature = "network")]
mod layers;
mod lists;
mod optical_flow;
#[cfg(feature = "network")]
mod packed_channels;
#[cfg(feature = "network")]
mod quantized_layers;
mod spaced;
mod track_points;
mod unsharp_mask;

pub use canny_edge::{CannyEdge, CannySettings, GradientNorm};
pub use equalize_histogram::EqualizeHistogram;
pub use fast_corners::{FastCorners, FastSettings};
pub use gaussian_pyramid::{GaussianPyramid, Levels};
pub use harris_corners::{HarrisCorners, HarrisSettings};
pub use laplacian_pyramid::{LaplacianPyramid, LaplacianReconstruct};
#[cfg(feature = "network")]
pub use layers::*;
pub use lists::{MinMaxLoc, NonZero};
pub use optical_flow::{OpticalFlowPyrLK, OpticalFlowSettings};
#[cfg(feature = "network")]
pub use packed_channels::{PackChannels, UnpackChannels};
#[cfg(feature = "network")]
pub use quantized_layers::*;
pub use unsharp_mask::{UnsharpMask, UnsharpSettings};

use core::fmt::Display;

use windrow::chain::{FunctionError, OperatorError};

/// A function that is a chain and nothing else, as a [`Function`](windrow::chain::Function).
macro_rules! composite_function {
    ($name:ident) => {
        impl windrow::chain::Function for $name {
            fn run(
                &self,
                scheduler: &dyn windrow::Scheduler,
                inputs: &[windrow::AnyView<'_>],
                outputs: &mut [windrow::AnyViewMut<'_>],
            ) -> Result<(), windrow::chain::FunctionError> {
                self.0.run(scheduler, inputs, outputs)
            }
        }
    };
}
use composite_function;

/// A setting of `function` that breaks a rule.
fn refused(function: &str, argument: &str, found: &dyn Display, rule: &str) -> FunctionError {
    let error = OperatorError::Input { argument: argument.into(), found: found.to_string(), rule: rule.into() };
    FunctionError::of_stage(function, error)
}
