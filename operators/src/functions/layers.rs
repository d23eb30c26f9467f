//! Layers of networks with what follows them: sums that are added to, and bounded, while they are in registers.
//!
//! Each is a pipeline of the library's kernels, and one kernel: its bits are theirs, one after another.
use windrow::{Error, Tensor, pipeline};

use crate::{add_f32, bounded_relu, conv2d, dense, depthwise_conv2d, scale_shift};

/// min(max(conv2d, 0), upper): a convolution, and what bounds it.
#[pipeline]
pub fn conv2d_relu(
    src: &Tensor<f32, 4>,
    weights: &Tensor<f32, 4>,
    bias: &Tensor<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    let sums = conv2d::apply(src, weights, bias, stride, dilation, pad)?;
    bounded_relu::apply(&sums, upper)
}

/// conv2d + other.
#[pipeline]
pub fn conv2d_add(
    src: &Tensor<f32, 4>,
    weights: &Tensor<f32, 4>,
    bias: &Tensor<f32, 1>,
    other: &Tensor<f32, 4>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
) -> Result<Tensor<f32>, Error> {
    add_f32::apply(&conv2d::apply(src, weights, bias, stride, dilation, pad)?, other)
}

/// min(max(conv2d + other, 0), upper): the end of a residual block.
#[pipeline]
pub fn conv2d_add_relu(
    src: &Tensor<f32, 4>,
    weights: &Tensor<f32, 4>,
    bias: &Tensor<f32, 1>,
    other: &Tensor<f32, 4>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    let sums = conv2d::apply(src, weights, bias, stride, dilation, pad)?;
    bounded_relu::apply(&add_f32::apply(&sums, other)?, upper)
}

/// min(max(depthwise_conv2d, 0), upper).
#[pipeline]
pub fn depthwise_conv2d_relu(
    src: &Tensor<f32, 4>,
    weights: &Tensor<f32, 3>,
    bias: &Tensor<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    let sums = depthwise_conv2d::apply(src, weights, bias, stride, dilation, pad)?;
    bounded_relu::apply(&sums, upper)
}

/// min(max(dense, 0), upper).
#[pipeline]
pub fn dense_relu(
    src: &Tensor<f32, 2>,
    weights: &Tensor<f32, 2>,
    bias: &Tensor<f32, 1>,
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    bounded_relu::apply(&dense::apply(src, weights, bias)?, upper)
}

/// dense + other.
#[pipeline]
pub fn dense_add(
    src: &Tensor<f32, 2>,
    weights: &Tensor<f32, 2>,
    bias: &Tensor<f32, 1>,
    other: &Tensor<f32, 2>,
) -> Result<Tensor<f32>, Error> {
    add_f32::apply(&dense::apply(src, weights, bias)?, other)
}

/// min(max(dense + other, 0), upper).
#[pipeline]
pub fn dense_add_relu(
    src: &Tensor<f32, 2>,
    weights: &Tensor<f32, 2>,
    bias: &Tensor<f32, 1>,
    other: &Tensor<f32, 2>,
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    bounded_relu::apply(&add_f32::apply(&dense::apply(src, weights, bias)?, other)?, upper)
}

/// min(max(x · scale + shift, 0), upper): a normalisation, and what bounds it.
#[pipeline]
pub fn scale_shift_relu(
    src: &Tensor<f32>,
    scale: &Tensor<f32>,
    shift: &Tensor<f32>,
    upper: f32,
) -> Result<Tensor<f32>, Error> {
    bounded_relu::apply(&scale_shift::apply(src, scale, shift)?, upper)
}
