//! Pipelines of the library's kernels, for their generated tests: fused, in bands, and one kernel after another on every target.

use windrow::{Border, Error, Tensor, TensorInfo, chain::OneKernel, family::code_of, language::Overflow, pipeline};
use windrow_operators::{
    add, add_f32, bounded_relu, channel_extract, clip, conv2d, depthwise_conv2d, functions, gaussian3x3, gaussian5x5,
    magnitude, median3x3, relu, sharpen, sobel3x3, threshold,
};

/// Where the slopes of a blurred image are steep.
#[pipeline]
pub fn edges(src: &Tensor<u8>, border: Border) -> Result<Tensor<i16>, Error> {
    let blurred = gaussian3x3::apply(src, border)?;
    let (dx, dy) = sobel3x3::apply(&blurred, border)?;
    magnitude::apply(&dx, &dy)
}

/// Sharpens an image by what two blurs, one after another, take away from it.
#[pipeline]
pub fn unsharp(src: &Tensor<u8>, #[uniform(0..=1024)] amount: i32) -> Result<(Tensor<u8>, Tensor<u8>), Error> {
    let soft = gaussian5x5::apply(src, Border::Replicate)?;
    let softer = median3x3::apply(&soft, Border::Wrap)?;
    Ok((sharpen::apply(src, &softer, amount)?, soft))
}

/// Where a channel of a colour image is bright.
#[pipeline]
pub fn bright(
    rgb: &Tensor<[u8; 3]>,
    #[uniform(0..=2)] channel: usize,
    #[uniform] level: u8,
) -> Result<Tensor<u8>, Error> {
    let plane = channel_extract::apply(rgb, channel)?;
    threshold::apply(&plane, level, 255, 0)
}

/// The sum of two images and its double, within bounds: kernels with a choice of the caller's, and with several types.
#[pipeline]
pub fn bounded_sum(a: &Tensor<u8>, b: &Tensor<u8>, policy: Overflow) -> Result<Tensor<u8>, Error> {
    let sum = add::apply(a, b, policy)?;
    let double = add::apply(&sum, &sum, Overflow::Saturate)?;
    clip::<u8>::apply(&double, 10, 200)
}

/// A block of a network: a convolution of each channel, and one of all channels, each with what follows it in one kernel.
#[pipeline]
pub fn separable(
    src: &Tensor<f32, 4>,
    each: &Tensor<f32, 3>,
    of_each: &Tensor<f32, 1>,
    all: &Tensor<f32, 4>,
    of_all: &Tensor<f32, 1>,
    #[uniform(0..=2)] pad: i32,
) -> Result<Tensor<f32>, Error> {
    let inner = depthwise_conv2d::apply(src, each, of_each, [1, 1], [1, 1], [pad, 0, 1, 1])?;
    let bounded = bounded_relu::apply(&inner, 6.0)?;
    let outer = conv2d::apply(&bounded, all, of_all, [1, 1], [1, 1], [0, pad, 0, 0])?;
    let sum = add_f32::apply(&outer, &bounded)?;
    relu::apply(&sum)
}

#[test]
fn kernels_with_choices_and_types_are_fused() -> Result<(), Error> {
    let photo = TensorInfo::of::<u8>(&[8, 8])?;
    let chain = bounded_sum::chain(&photo, &photo, Overflow::Wrap)?;
    assert_eq!(chain.stage_names().collect::<Vec<_>>(), ["add_add_clip"]);
    Ok(())
}

#[test]
fn what_follows_a_convolution_is_part_of_it() -> Result<(), Error> {
    let shapes: [&[usize]; 5] = [&[1, 8, 8, 4], &[3, 3, 4], &[4], &[1, 1, 4, 4], &[4]];
    let [src, each, of_each, all, of_all] = shapes.map(TensorInfo::of::<f32>);
    let chain = separable::chain(&src?, &each?, &of_each?, &all?, &of_all?, 0)?;
    let stages: Vec<_> = chain.stage_names().collect();
    assert_eq!(stages, ["depthwise_conv2d_bounded_relu", "conv2d_add_f32_relu"]);
    Ok(())
}

/// A band has a plane of each image, and a convolution computes all dimensions together; these happen to have as many planes.
#[test]
fn convolutions_are_not_cut_into_planes() -> Result<(), Error> {
    let shapes: [&[usize]; 4] = [&[4, 1, 1, 4], &[4, 1, 4, 1], &[1], &[1, 1, 1, 4]];
    let [src, weights, bias, other] = shapes.map(TensorInfo::of::<f32>);
    let chain = functions::conv2d_add::unfused(&src?, &weights?, &bias?, &other?, [1; 2], [1; 2], [5, 3, 2, 0])?;
    let refused = chain.finish_in_bands(0).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("computes more dimensions than rows and columns at a time"), "{refused}");
    Ok(())
}

/// Plans of networks configure the kernels: no tensor of sums lies in them.
#[test]
fn layers_of_bytes_are_one_kernel() {
    fn name<P: OneKernel>() -> &'static str {
        code_of::<P::Kernel>().spec().name
    }
    let found = [
        name::<functions::conv2d_requantize>(),
        name::<functions::conv2d_requantize_float>(),
        name::<functions::depthwise_conv2d_requantize>(),
        name::<functions::depthwise_conv2d_requantize_float>(),
        name::<functions::depthwise3x3_requantize>(),
        name::<functions::depthwise3x3_requantize_float>(),
        name::<functions::dense_requantize>(),
        name::<functions::dense_requantize_once>(),
        name::<functions::dense_requantize_float>(),
        name::<functions::multiply_requantize>(),
        name::<functions::multiply_requantize_float>(),
    ];
    let expected = [
        "conv2d_bytes_requantize_channels",
        "conv2d_bytes_requantize_float_channels",
        "depthwise_conv2d_bytes_requantize_channels",
        "depthwise_conv2d_bytes_requantize_float_channels",
        "depthwise3x3_bytes_requantize_channels",
        "depthwise3x3_bytes_requantize_float_channels",
        "dense_bytes_requantize_channels",
        "dense_bytes_requantize_channels_once",
        "dense_bytes_requantize_float_channels",
        "multiply_bytes_requantize_channels",
        "multiply_bytes_requantize_float_channels",
    ];
    assert_eq!(found, expected);
}

/// The library's own pipelines: its crate is no program of tests.
macro_rules! of_the_library {
    ($($test:ident $pipeline:ident)*) => {
        $(windrow::__pipeline_tests! { $test windrow_operators::functions::$pipeline })*
    };
}

of_the_library! {
    test_conv2d_relu conv2d_relu
    test_conv2d_add conv2d_add
    test_conv2d_add_relu conv2d_add_relu
    test_depthwise_conv2d_relu depthwise_conv2d_relu
    test_dense_relu dense_relu
    test_dense_add dense_add
    test_dense_add_relu dense_add_relu
    test_scale_shift_relu scale_shift_relu
    test_conv2d_requantize conv2d_requantize
    test_conv2d_requantize_float conv2d_requantize_float
    test_depthwise_conv2d_requantize depthwise_conv2d_requantize
    test_depthwise_conv2d_requantize_float depthwise_conv2d_requantize_float
    test_depthwise3x3_requantize depthwise3x3_requantize
    test_depthwise3x3_requantize_float depthwise3x3_requantize_float
    test_dense_requantize dense_requantize
    test_dense_requantize_once dense_requantize_once
    test_dense_requantize_float dense_requantize_float
    test_multiply_requantize multiply_requantize
    test_multiply_requantize_float multiply_requantize_float
}
