//! The operators of the library that steps of a plan call, each with the numbers that it is configured with.
//!
//! A call is data: the table of nodes chooses one, a plan's file names it, and both are configured here, by the operator's own
//! `configure`. An operator of the library that a plan is to use needs a row; a user's own is a [`CustomCall`].

use serde::{Deserialize, Serialize};
use windrow::{Configured, InvalidConfiguration, Kernel, TensorInfo, chain::OneKernel};
use windrow_operators::{self as library, functions};

use crate::{
    choices::{Comparison, Overflow, Rounding, Ties},
    configured::AnyConfigured,
    custom::CustomCall,
    float::Float,
};

/// The kernel that a pipeline of the library is.
type One<P> = <P as OneKernel>::Kernel;

/// A kernel that is configured, or what its rules refuse.
pub(crate) type MaybeConfigured = Result<Box<dyn AnyConfigured>, InvalidConfiguration>;

/// A configured kernel without its type.
pub(crate) fn any<K: Kernel>(configured: Result<Configured<K>, InvalidConfiguration>) -> MaybeConfigured {
    Ok(Box::new(configured?))
}

/// Rows of `name(inputs) { numbers } = kernel`: inputs and numbers in the order in which the kernel's `configure` takes them.
macro_rules! calls {
    ($($name:ident($($input:ident),+) $({ $($number:ident: $type:ty),+ })? = $kernel:ty;)+) => {
        /// An operator of the library with its numbers, a user's own, or a copy.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(non_camel_case_types, reason = "these are the names of the library's operators")]
        pub(crate) enum Call {
            copy {},
            custom(Box<CustomCall>),
            $($name { $($($number: $type),+)? },)+
        }

        impl Call {
            /// The operator's name.
            pub fn name(&self) -> &'static str {
                match self {
                    Call::copy {} => "copy",
                    Call::custom(call) => call.name(),
                    $(Call::$name { .. } => stringify!($name),)+
                }
            }

            /// How many tensors it reads.
            pub fn inputs(&self) -> usize {
                match self {
                    Call::copy {} => 1,
                    Call::custom(call) => call.inputs(),
                    $(Call::$name { .. } => [$(stringify!($input)),+].len(),)+
                }
            }

            /// Configures the kernel; `None` for a copy, and for another number of inputs than it reads.
            pub fn configure(&self, inputs: &[TensorInfo], output: &TensorInfo) -> Option<MaybeConfigured> {
                match self {
                    Call::copy {} => None,
                    Call::custom(call) => call.configure(inputs, output),
                    $(Call::$name { $($($number),+)? } => {
                        let [$($input),+] = inputs else { return None };
                        Some(any(<$kernel>::configure($($input,)+ $($((*$number).into(),)+)? output)))
                    })+
                }
            }
        }
    };
}

calls! {
    relu(x) = library::relu;
    clip(x) { lower: Float, upper: Float } = library::clip<f32>;
    absolute(x) = library::absolute;
    negate(x) = library::negate;
    exp(x) = library::exp;
    log(x) = library::log;
    sqrt(x) = library::sqrt;
    reciprocal(x) = library::reciprocal;
    erf(x) = library::erf;
    floor(x) = library::floor;
    ceil(x) = library::ceil;
    round(x) = library::round;
    sign(x) = library::sign;
    sin(x) = library::sin;
    cos(x) = library::cos;
    tan(x) = library::tan;
    asin(x) = library::asin;
    acos(x) = library::acos;
    atan(x) = library::atan;
    sinh(x) = library::sinh;
    cosh(x) = library::cosh;
    asinh(x) = library::asinh;
    acosh(x) = library::acosh;
    atanh(x) = library::atanh;
    shrink(x) { level: Float, bias: Float } = library::shrink;
    thresholded_relu(x) { level: Float } = library::thresholded_relu;
    sigmoid(x) = library::sigmoid;
    tanh(x) = library::tanh;
    softplus(x) = library::softplus;
    soft_sign(x) = library::soft_sign;
    mish(x) = library::mish;
    hard_swish(x) = library::hard_swish;
    gelu(x) = library::gelu;
    gelu_tanh(x) = library::gelu_tanh;
    leaky_relu(x) { slope: Float } = library::leaky_relu;
    hard_sigmoid(x) { alpha: Float, beta: Float } = library::hard_sigmoid;
    elu(x) { alpha: Float } = library::elu;
    selu(x) { alpha: Float, gamma: Float } = library::selu;
    celu(x) { alpha: Float } = library::celu;
    swish(x) { alpha: Float } = library::swish;

    add_f32(a, b) = library::add_f32;
    subtract_f32(a, b) = library::subtract_f32;
    multiply_f32(a, b) = library::multiply_f32;
    divide(a, b) = library::divide;
    power(a, b) = library::power;
    prelu(a, b) = library::prelu;
    minimum(a, b) = library::minimum<f32>;
    maximum(a, b) = library::maximum<f32>;

    add_i32(a, b) { policy: Overflow } = library::add_i32;
    subtract_i32(a, b) { policy: Overflow } = library::subtract_i32;
    multiply_i32(a, b) { policy: Overflow } = library::multiply_i32;
    minimum_i32(a, b) = library::minimum<i32>;
    maximum_i32(a, b) = library::maximum<i32>;
    compare(a, b) { comparison: Comparison, truth: u8 } = library::compare<f32>;
    compare_i32(a, b) { comparison: Comparison, truth: u8 } = library::compare<i32>;
    compare_u8(a, b) { comparison: Comparison, truth: u8 } = library::compare<u8>;
    select(condition, a, b) = library::select<f32>;
    select_i32(condition, a, b) = library::select<i32>;
    select_u8(condition, a, b) = library::select<u8>;
    bitwise_and(a, b) = library::bitwise_and;
    bitwise_or(a, b) = library::bitwise_or;
    bitwise_xor(a, b) = library::bitwise_xor;
    to_float_i32(x) = library::to_float<i32>;
    to_float_u8(x) = library::to_float<u8>;
    to_float_i8(x) = library::to_float<i8>;
    from_float_i32(x) { rounding: Rounding } = library::from_float<i32>;
    from_float_u8(x) { rounding: Rounding } = library::from_float<u8>;
    widen_u8(x) { shift: u32 } = library::widen_u8<i32>;
    to_signed(x) = library::to_signed;
    to_unsigned(x) = library::to_unsigned;

    dense(x, weights, bias) = library::dense;
    dense_relu(x, weights, bias) { upper: Float } = One<functions::dense_relu>;
    dense_add(x, weights, bias, added) = One<functions::dense_add>;
    dense_add_relu(x, weights, bias, added) { upper: Float } = One<functions::dense_add_relu>;
    matrix_product(a, b) = library::matrix_product;
    conv2d(x, weights, bias) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4] } = library::conv2d;
    conv2d_relu(x, weights, bias) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], upper: Float }
        = One<functions::conv2d_relu>;
    conv2d_add(x, weights, bias, added) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4] }
        = One<functions::conv2d_add>;
    conv2d_add_relu(x, weights, bias, added)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], upper: Float }
        = One<functions::conv2d_add_relu>;
    depthwise_conv2d(x, weights, bias) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4] }
        = library::depthwise_conv2d;
    depthwise_conv2d_relu(x, weights, bias)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], upper: Float }
        = One<functions::depthwise_conv2d_relu>;

    transposed_conv2d(x, weights, bias) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], extra: [i32; 2] }
        = library::transposed_conv2d;
    transposed_depthwise_conv2d(x, weights, bias)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], extra: [i32; 2] }
        = library::transposed_depthwise_conv2d;

    max_pool2d(x) { size: [i32; 2], stride: [i32; 2], pads: [i32; 4] } = library::max_pool2d;
    average_pool2d(x) { size: [i32; 2], stride: [i32; 2], pads: [i32; 4], counts_pads: i32 } = library::average_pool2d;
    l2_pool2d(x) { size: [i32; 2], stride: [i32; 2], pads: [i32; 4] } = library::l2_pool2d;
    pad_constant(x) { before: i32, behind: i32, value: Float } = library::pad_constant<f32>;
    scale_shift(x, scale, shift) = library::scale_shift;
    scale_shift_relu(x, scale, shift) { upper: Float } = One<functions::scale_shift_relu>;
    layer_norm(x, scale, bias) { epsilon: Float } = library::layer_norm;
    instance_norm(x, scale, bias) { epsilon: Float } = library::instance_norm;
    row_l2_normalize(x) = library::row_l2_normalize;
    local_response_norm(x) { size: i32, factor: Float, beta: Float, bias: Float } = library::local_response_norm;
    softmax(x) = library::softmax;
    log_softmax(x) = library::log_softmax;
    row_log_sum_exp(x) = library::row_log_sum_exp;
    argmax(x) = library::argmax;
    argmin(x) = library::argmin;
    reduce_sum(x) = library::reduce_sum;
    reduce_product(x) = library::reduce_product;
    reduce_sum_of_squares(x) = library::reduce_sum_of_squares;
    reduce_mean(x) = library::reduce_mean;
    reduce_max(x) = library::reduce_max<f32>;
    reduce_min(x) = library::reduce_min<f32>;

    gather(x, places) = library::gather<f32>;
    gather_i8(x, places) = library::gather<i8>;
    gather_i32(x, places) = library::gather<i32>;
    gather_u8(x, places) = library::gather<u8>;
    resample(x, places, weights) = library::resample;

    row_least(x) = library::row_least<f32>;
    row_greatest(x) = library::row_greatest<f32>;
    dynamic_scale(least, greatest) = library::dynamic_scale;
    dynamic_zero(least, scale) = library::dynamic_zero;
    quantize_channels(x, scale, zero) { ties: Ties } = library::quantize_channels<i8>;
    widen_i8(x) { shift: u32 } = library::widen_i8<i32>;
    dense_bytes(x, weights, bias) { zero: i8 } = library::dense_bytes<i8>;
    conv2d_bytes(x, weights, bias) { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], zero: i8 }
        = library::conv2d_bytes<i8>;

    quantize(x) { scale: Float, zero: i32, ties: Ties } = library::quantize<i8>;
    dequantize(x) { scale: Float, zero: i32 } = library::dequantize<i8>;
    add_quantized(a, b) { multiplier: [i32; 3], shift: [i32; 3], zero: [i32; 3], lower: i8, upper: i8 }
        = library::add_quantized<i8>;
    add_quantized_once(a, b)
        { multiplier: [i32; 2], bias: i32, shift: u32, zero: i32, lower: i8, upper: i8 }
        = library::add_quantized_once<i8>;
    multiply_requantize(a, b, multiplier, by) { zero: [i32; 2], out_zero: i32, lower: i8, upper: i8 }
        = One<functions::multiply_requantize>;
    multiply_requantize_float(a, b, scale) { zero: [i32; 2], out_zero: i32, lower: i8, upper: i8 }
        = One<functions::multiply_requantize_float>;
    dense_requantize(x, weights, bias, multiplier, shift) { zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::dense_requantize>;
    dense_requantize_once(x, weights, bias, multiplier, shift) { zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::dense_requantize_once>;
    dense_requantize_float(x, weights, bias, scale) { zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::dense_requantize_float>;
    conv2d_requantize(x, weights, bias, multiplier, by)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::conv2d_requantize>;
    conv2d_requantize_float(x, weights, bias, scale)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::conv2d_requantize_float>;
    depthwise_conv2d_requantize(x, weights, bias, multiplier, by)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::depthwise_conv2d_requantize>;
    depthwise_conv2d_requantize_float(x, weights, bias, scale)
        { stride: [i32; 2], dilation: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::depthwise_conv2d_requantize_float>;
    depthwise3x3_requantize(x, weights, bias, multiplier, by)
        { stride: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::depthwise3x3_requantize>;
    depthwise3x3_requantize_float(x, weights, bias, scale)
        { stride: [i32; 2], pads: [i32; 4], zero: i8, out_zero: i32, lower: i8, upper: i8 }
        = One<functions::depthwise3x3_requantize_float>;
    max_pool2d_bytes(x) { size: [i32; 2], stride: [i32; 2], pads: [i32; 4], lower: i8, upper: i8 }
        = library::max_pool2d_bytes<i8>;
    average_pool2d_bytes(x) { size: [i32; 2], stride: [i32; 2], pads: [i32; 4], lower: i8, upper: i8 }
        = library::average_pool2d_bytes<i8>;
    reduce_sum_bytes(x) = library::reduce_sum_bytes<i8>;
    requantize_affine(x) { factor: Float, offset: Float, lower: i8, upper: i8 } = library::requantize_affine<i8>;
    softmax_bytes(x, powers) = library::softmax_bytes;
}
