//! Layers of networks of signed bytes: sums of products that are scaled and bounded while they are in registers.
//!
//! Each is a pipeline of the library's kernels, and one kernel: no tensor of 32-bit sums lies between them. `multiplier`, `shift` and
//! `scale` hold a number for each output channel, or one for all; `zero` is that of the source, `out_zero` that of what is written.
use windrow::{Error, Tensor, pipeline};

use crate::{
    conv2d_bytes, dense_bytes, depthwise_conv2d_bytes, depthwise3x3_bytes, multiply_bytes, requantize_channels,
    requantize_channels_once, requantize_float_channels,
};

/// A convolution, scaled by integers and rounded twice (TFLite `CONV_2D`, its reference of each channel).
#[pipeline]
pub fn conv2d_requantize(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 4>,
    bias: &Tensor<i32, 1>,
    multiplier: &Tensor<i32, 1>,
    shift: &Tensor<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = conv2d_bytes::<i8>::apply(src, weights, bias, stride, dilation, pad, zero)?;
    requantize_channels::<i8>::apply(&sums, multiplier, shift, out_zero, lower, upper)
}

/// A convolution, scaled by floats (XNNPACK `qs8_qc8w` convolution).
#[pipeline]
pub fn conv2d_requantize_float(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 4>,
    bias: &Tensor<i32, 1>,
    scale: &Tensor<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    #[uniform(-128..=255)] out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = conv2d_bytes::<i8>::apply(src, weights, bias, stride, dilation, pad, zero)?;
    requantize_float_channels::<i8>::apply(&sums, scale, out_zero, lower, upper)
}

/// A convolution of each channel by itself, scaled by integers and rounded twice (TFLite `DEPTHWISE_CONV_2D`).
#[pipeline]
pub fn depthwise_conv2d_requantize(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 3>,
    bias: &Tensor<i32, 1>,
    multiplier: &Tensor<i32, 1>,
    shift: &Tensor<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = depthwise_conv2d_bytes::<i8>::apply(src, weights, bias, stride, dilation, pad, zero)?;
    requantize_channels::<i8>::apply(&sums, multiplier, shift, out_zero, lower, upper)
}

/// A convolution of each channel by itself, scaled by floats (XNNPACK).
#[pipeline]
pub fn depthwise_conv2d_requantize_float(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 3>,
    bias: &Tensor<i32, 1>,
    scale: &Tensor<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(1..=64)] dilation: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    #[uniform(-128..=255)] out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = depthwise_conv2d_bytes::<i8>::apply(src, weights, bias, stride, dilation, pad, zero)?;
    requantize_float_channels::<i8>::apply(&sums, scale, out_zero, lower, upper)
}

/// As `depthwise_conv2d_requantize`, with 3 × 3 weights.
#[pipeline]
pub fn depthwise3x3_requantize(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 3>,
    bias: &Tensor<i32, 1>,
    multiplier: &Tensor<i32, 1>,
    shift: &Tensor<i32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = depthwise3x3_bytes::apply(src, weights, bias, stride, pad, zero)?;
    requantize_channels::<i8>::apply(&sums, multiplier, shift, out_zero, lower, upper)
}

/// As `depthwise_conv2d_requantize_float`, with 3 × 3 weights.
#[pipeline]
pub fn depthwise3x3_requantize_float(
    src: &Tensor<i8, 4>,
    weights: &Tensor<i8, 3>,
    bias: &Tensor<i32, 1>,
    scale: &Tensor<f32, 1>,
    #[uniform(1..=16)] stride: [i32; 2],
    #[uniform(0..=255)] pad: [i32; 4],
    zero: i8,
    #[uniform(-128..=255)] out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = depthwise3x3_bytes::apply(src, weights, bias, stride, pad, zero)?;
    requantize_float_channels::<i8>::apply(&sums, scale, out_zero, lower, upper)
}

/// A product of matrices, scaled by integers and rounded twice (TFLite `FULLY_CONNECTED` with a scale for each channel).
#[pipeline]
pub fn dense_requantize(
    src: &Tensor<i8, 2>,
    weights: &Tensor<i8, 2>,
    bias: &Tensor<i32, 1>,
    multiplier: &Tensor<i32, 1>,
    shift: &Tensor<i32, 1>,
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = dense_bytes::<i8>::apply(src, weights, bias, zero)?;
    requantize_channels::<i8>::apply(&sums, multiplier, shift, out_zero, lower, upper)
}

/// A product of matrices, scaled by integers and rounded once (TFLite built with a single rounding). With one scale, TFLite's
/// reference multiplies in f64 instead: what lies next to a half may differ.
#[pipeline]
pub fn dense_requantize_once(
    src: &Tensor<i8, 2>,
    weights: &Tensor<i8, 2>,
    bias: &Tensor<i32, 1>,
    multiplier: &Tensor<i32, 1>,
    shift: &Tensor<i32, 1>,
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = dense_bytes::<i8>::apply(src, weights, bias, zero)?;
    requantize_channels_once::<i8>::apply(&sums, multiplier, shift, out_zero, lower, upper)
}

/// A product of matrices, scaled by floats (XNNPACK).
#[pipeline]
pub fn dense_requantize_float(
    src: &Tensor<i8, 2>,
    weights: &Tensor<i8, 2>,
    bias: &Tensor<i32, 1>,
    scale: &Tensor<f32, 1>,
    zero: i8,
    #[uniform(-128..=255)] out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let sums = dense_bytes::<i8>::apply(src, weights, bias, zero)?;
    requantize_float_channels::<i8>::apply(&sums, scale, out_zero, lower, upper)
}

/// A product of two tensors, scaled by integers that are the same for all elements, and rounded twice (TFLite `MUL`, its reference).
#[pipeline]
pub fn multiply_requantize(
    a: &Tensor<i8>,
    b: &Tensor<i8>,
    multiplier: &Tensor<i32>,
    shift: &Tensor<i32>,
    #[uniform(-128..=255)] zero: [i32; 2],
    out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    let products = multiply_bytes::<i8>::apply(a, b, zero)?;
    requantize_channels::<i8>::apply(&products, multiplier, shift, out_zero, lower, upper)
}

/// A product of two tensors, scaled by a float that is the same for all elements (XNNPACK `qs8` multiplication, onnxruntime `QLinearMul`).
#[pipeline]
pub fn multiply_requantize_float(
    a: &Tensor<i8>,
    b: &Tensor<i8>,
    scale: &Tensor<f32>,
    #[uniform(-128..=255)] zero: [i32; 2],
    #[uniform(-128..=255)] out_zero: i32,
    lower: i8,
    upper: i8,
) -> Result<Tensor<i8>, Error> {
    requantize_float_channels::<i8>::apply(&multiply_bytes::<i8>::apply(a, b, zero)?, scale, out_zero, lower, upper)
}
