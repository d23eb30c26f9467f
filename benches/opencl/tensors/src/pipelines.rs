//! The pipelines that are timed.

use windrow::{Border, Error, Tensor, prelude::*};
use windrow_operators as op;

/// Whether a gradient is steep.
#[kernel]
pub fn steep(dx: i16, dy: i16) -> u8 {
    if dx.saturating_abs().saturating_add(dy.saturating_abs()) > 100 { 255 } else { 0 }
}

/// Edges of a blurred image.
#[pipeline]
pub fn edges(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let blurred = op::gaussian3x3::apply(src, Border::Replicate)?;
    let (dx, dy) = op::sobel3x3::apply(&blurred, Border::Replicate)?;
    steep::apply(&dx, &dy)
}

/// An image, and as much again of what a blur takes away from it.
#[pipeline]
pub fn unsharp(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let blurred = op::gaussian3x3::apply(src, Border::Replicate)?;
    op::sharpen::apply(src, &blurred, 256)
}

/// A Gaussian pyramid of three levels below the image.
#[pipeline]
pub fn pyramid(src: &Tensor<u8>) -> Result<(Tensor<u8>, Tensor<u8>, Tensor<u8>), Error> {
    let half = op::half_scale_gaussian5x5::apply(src, Border::Replicate)?;
    let quarter = op::half_scale_gaussian5x5::apply(&half, Border::Replicate)?;
    let eighth = op::half_scale_gaussian5x5::apply(&quarter, Border::Replicate)?;
    Ok((half, quarter, eighth))
}

/// Harris' measure of Sobel's gradients over blocks of 3 × 3.
#[pipeline]
pub fn harris(src: &Tensor<u8>) -> Result<Tensor<f32>, Error> {
    let (dx, dy) = op::sobel3x3::apply(src, Border::Replicate)?;
    op::harris_score3::apply(&dx, &dy, 0.01, 0.04, 0.0, Border::Replicate)
}

/// Canny's edges up to where they are joined.
#[pipeline]
pub fn canny(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let (dx, dy) = op::sobel3x3::apply(src, Border::Replicate)?;
    let length = op::magnitude::apply(&dx, &dy)?;
    op::thin_edges::apply(&length, &dx, &dy, 50, 100, Border::constant(0i16))
}

/// The middle of MobileNet's blocks: a depthwise convolution, its bounds, and a pointwise one.
#[pipeline]
pub fn mobile_block(
    src: &Tensor<f32, 4>,
    depthwise: &Tensor<f32, 3>,
    depthwise_bias: &Tensor<f32, 1>,
    pointwise: &Tensor<f32, 4>,
    pointwise_bias: &Tensor<f32, 1>,
) -> Result<Tensor<f32>, Error> {
    let sums = op::depthwise_conv2d::apply(src, depthwise, depthwise_bias, [1, 1], [1, 1], [1; 4])?;
    let bounded = op::bounded_relu::apply(&sums, 6.0)?;
    op::conv2d::apply(&bounded, pointwise, pointwise_bias, [1, 1], [1, 1], [0; 4])
}
