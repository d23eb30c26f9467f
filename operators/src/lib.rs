//! The operator library: each operator written once, in the language that every author has.
//!
//! Every kernel stands at the crate's root: `windrow_operators::gaussian3x3::configure(…)`. Formulas, rounding and
//! borders: `docs/semantics.md`.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod bitwise;
pub mod colour;
pub mod comparison;
pub mod conversion;
#[cfg(feature = "std")]
pub mod families;
pub mod feature;
pub mod filter;
#[cfg(feature = "std")]
pub mod functions;
pub mod geometry;
pub mod gradient;
#[cfg(feature = "network")]
pub mod network;
pub mod pixelwise;
#[cfg(feature = "network")]
pub mod pooling;
#[cfg(feature = "network")]
pub mod quantization;
pub mod rearrange;
#[cfg(feature = "network")]
pub mod reduction;
pub mod sampling;
pub mod statistics;
#[cfg(feature = "network")]
pub mod tensor;
#[cfg(feature = "network")]
pub mod unary;

/// The code of the package's README, compiled as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Written by the build script, from the same files.
mod list {
    include!(concat!(env!("OUT_DIR"), "/all.rs"));
}

#[doc(no_inline)]
pub use self::{
    arithmetic::{
        abs_diff::*, add::*, add_scaled::*, divide::*, extremum::*, multiply::*, multiply_255::*, multiply_scaled::*,
        multiply_unscaled::*, squared_difference::*, subtract::*, transcendental::*,
    },
    bitwise::{and::*, not::*, or::*, xor::*},
    colour::{channel::*, packed_yuv::*, rgb_to_gray::*, rgbx::*, yuv::spaces::*},
    comparison::{compare::relations::*, is_nan::*, select::*},
    conversion::{float::*, half::*, narrow::*, widen::*},
    feature::{fast_score::*, harris_score::*, harris_score3::*, harris_score5::*, suppress3x3::*, thin_edges::*},
    filter::{
        box_mean::*, box3x3::*, convolve::*, convolve_any::convolutions::*, convolve_large::*, derivative::*,
        dilate3x3::*, erode3x3::*, extremum_mask9::*, gaussian3x3::*, gaussian5x5::*, half_scale_gaussian::*,
        median_mask5::*, median3x3::*, non_linear_box3::*, non_linear_box5::*, non_linear_cross3::*,
        non_linear_cross5::*, scharr3x3::*, sobel3x3::*, sobel5x5::*, sobel7x7::*, upsample_gaussian::*,
    },
    geometry::{
        remap::remaps::*, resample::*, scale_bilinear::*, scale_bilinear_pixels::*, scale_nearest::nearest_scales::*,
        warp_bilinear::*, warp_nearest::*, warp_onto::*,
    },
    gradient::{magnitude::*, phase::*},
    pixelwise::{accumulate::*, convert_depth::*, sharpen::*, table_lookup::*, threshold::*, weighted_average::*},
    rearrange::{as_strided::*, blocks::*, concatenate::*, gather::*, gather_rows::*, nonzero::*, pad_constant::*},
    statistics::{cumulative_sum::*, equalization::*, extremes::*, histogram::*, integral_image::*, mean_std_dev::*},
};

#[cfg(feature = "network")]
#[doc(no_inline)]
pub use self::{
    network::{
        batch_normalization::*, bias_clip::*, conv2d::*, conv2d_bytes::*, dense::*, dense_bytes::*,
        depthwise_conv2d::*, depthwise_conv2d_bytes::*, depthwise3x3::*, depthwise3x3_bytes::*, double_elements::*,
        grid_sample::grid_samples::*, l2_normalize::*, local_response_norm::*, matrix_product::*, range::*,
        roi_align::*, roi_max_pool::*, row_norm::*, scale_complex::*, softmax::*, softmax_bytes::*,
        transposed_conv2d::*, transposed_depthwise_conv2d::*,
    },
    pooling::{
        average_pool2d::*, average_pool2d_bytes::*, l2_pool2d::*, max_pool2d::*, max_pool2d_bytes::*, pool::pools::*,
        pool_window::*,
    },
    quantization::{
        add_quantized_once::*, dequantize::*, dynamic::*, multiply_bytes::*, offset_contribution::*,
        quantize::quantizers::*, requantize::requantizers::*, requantize_channels::*, requantize_float::*, sign::*,
    },
    reduction::{argmax::*, reduce::*, reduce_extremum::*, reduce_sum_bytes::*, row_argmax::*, rows::*},
    tensor::{
        clip::*, elu::units::*, gelu::*, hard::*, leaky_relu::*, linear::*, pack_channels::*, relu::*, shrink::*,
        sigmoid::*, softplus::*,
    },
    unary::{
        area::functions::*, erf::*, exponential::*, hyperbolic::functions::*, magnitude_and_sign::*, powers::*,
        rounding::*, trigonometry::*,
    },
};

/// What the macro emitted for each kernel of the library, file by file.
pub fn all() -> &'static [&'static windrow::KernelCode] {
    list::ALL
}

/// Returns the library's operators by name: every family, and every kernel.
#[cfg(feature = "std")]
pub fn registry() -> windrow::family::Registry {
    windrow::family::Registry::new(all(), families::ALL)
}
