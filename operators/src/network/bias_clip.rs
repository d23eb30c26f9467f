//! What follows a convolution: its bias, and an activation (ACL `DirectConvolutionLayerOutputStage`).
use windrow::prelude::*;

/// min(max(x + bias, lower), upper): with 0 and ∞ relu, with 0 and 6 relu6; what is not a number becomes `lower`.
#[kernel(step(8, 1))]
pub fn bias_clip(x: f32, bias: f32, #[uniform] lower: f32, #[uniform] upper: f32) -> f32 {
    (x + bias).max(lower).min(upper)
}
