//! The library's families: kernels that do the same on other types or sizes, for programs that find the types at run time.

use windrow::family::{Family, code_of};

use crate::*;

/// Addition.
pub static ADD: Family = Family::new(
    "add",
    &[
        code_of::<add>(),
        code_of::<add_widening>(),
        code_of::<add_mixed>(),
        code_of::<add_i16>(),
        code_of::<add_i32>(),
        code_of::<add_f32>(),
    ],
);

/// Subtraction.
pub static SUBTRACT: Family = Family::new(
    "subtract",
    &[
        code_of::<subtract>(),
        code_of::<subtract_widening>(),
        code_of::<subtract_mixed>(),
        code_of::<subtract_mixed_reversed>(),
        code_of::<subtract_i16>(),
        code_of::<subtract_i32>(),
        code_of::<subtract_f32>(),
    ],
);

/// Multiplication by another image and by a power of two.
pub static MULTIPLY: Family = Family::new(
    "multiply",
    &[
        code_of::<multiply>(),
        code_of::<multiply_widening>(),
        code_of::<multiply_mixed>(),
        code_of::<multiply_i16>(),
        code_of::<multiply_i32>(),
        code_of::<multiply_f32>(),
    ],
);

/// Absolute difference.
pub static ABS_DIFF: Family =
    Family::new("abs_diff", &[code_of::<abs_diff>(), code_of::<abs_diff_i16>(), code_of::<abs_diff_mixed>()]);

/// Convolution with coefficients known at run time.
pub static CONVOLVE: Family = Family::new(
    "convolve",
    &[
        code_of::<convolve3x3<u8>>(),
        code_of::<convolve3x3<i16>>(),
        code_of::<convolve5x5<u8>>(),
        code_of::<convolve5x5<i16>>(),
        code_of::<convolve7x3<u8>>(),
        code_of::<convolve7x3<i16>>(),
        code_of::<convolve7x7<u8>>(),
        code_of::<convolve7x7<i16>>(),
        code_of::<convolve9x9<u8>>(),
        code_of::<convolve9x9<i16>>(),
    ],
);

/// Gaussian blur.
pub static GAUSSIAN: Family = Family::new("gaussian", &[code_of::<gaussian3x3>(), code_of::<gaussian5x5>()]);

/// Rank filter over a box.
pub static NON_LINEAR_BOX: Family =
    Family::new("non_linear_box", &[code_of::<non_linear_box3>(), code_of::<non_linear_box5>()]);

/// Rank filter over a cross.
pub static NON_LINEAR_CROSS: Family =
    Family::new("non_linear_cross", &[code_of::<non_linear_cross3>(), code_of::<non_linear_cross5>()]);

/// Conversion between 8 and 16 bits.
pub static CONVERT_DEPTH: Family = Family::new("convert_depth", &[code_of::<convert_up>(), code_of::<convert_down>()]);

/// One channel of interleaved pixels.
pub static CHANNEL_EXTRACT: Family = Family::new(
    "channel_extract",
    &[code_of::<channel_extract2>(), code_of::<channel_extract>(), code_of::<channel_extract4>()],
);

/// Planes as interleaved pixels.
pub static CHANNEL_COMBINE: Family = Family::new(
    "channel_combine",
    &[code_of::<channel_combine2>(), code_of::<channel_combine>(), code_of::<channel_combine4>()],
);

/// Look-up tables.
pub static TABLE_LOOKUP: Family =
    Family::new("table_lookup", &[code_of::<table_lookup>(), code_of::<table_lookup_i16>()]);

/// The lesser of two images.
pub static MINIMUM: Family = Family::new(
    "minimum",
    &[code_of::<minimum<u8>>(), code_of::<minimum<i16>>(), code_of::<minimum<i32>>(), code_of::<minimum<f32>>()],
);

/// The greater of two images.
pub static MAXIMUM: Family = Family::new(
    "maximum",
    &[code_of::<maximum<u8>>(), code_of::<maximum<i16>>(), code_of::<maximum<i32>>(), code_of::<maximum<f32>>()],
);

/// Squared difference.
pub static SQUARED_DIFFERENCE: Family = Family::new(
    "squared_difference",
    &[code_of::<squared_difference>(), code_of::<squared_difference_i16>(), code_of::<squared_difference_i32>()],
);

/// Comparisons.
pub static COMPARE: Family = Family::new(
    "compare",
    &[code_of::<compare<u8>>(), code_of::<compare<i16>>(), code_of::<compare<i32>>(), code_of::<compare<f32>>()],
);

/// A choice between two images.
pub static SELECT: Family = Family::new(
    "select",
    &[code_of::<select<u8>>(), code_of::<select<i16>>(), code_of::<select<i32>>(), code_of::<select<f32>>()],
);

/// Values brought between two bounds.
pub static CLIP: Family = Family::new("clip", &[code_of::<clip<u8>>(), code_of::<clip<i8>>(), code_of::<clip<f32>>()]);

/// Multiplication by another image and by 1 / 255.
pub static MULTIPLY_255: Family = Family::new(
    "multiply_255",
    &[
        code_of::<multiply_255>(),
        code_of::<multiply_255_widening>(),
        code_of::<multiply_255_mixed>(),
        code_of::<multiply_255_i16>(),
    ],
);

/// Multiplication by another image and by any scale.
pub static MULTIPLY_SCALED: Family =
    Family::new("multiply_scaled", &[code_of::<multiply_scaled<u8>>(), code_of::<multiply_scaled<i16>>()]);

/// Sobel gradients.
pub static SOBEL: Family = Family::new("sobel", &[code_of::<sobel3x3>(), code_of::<sobel5x5>(), code_of::<sobel7x7>()]);

/// Harris' measure of corners.
pub static HARRIS_SCORE: Family =
    Family::new("harris_score", &[code_of::<harris_score3>(), code_of::<harris_score5>()]);

/// Only what is greatest among its neighbours.
pub static SUPPRESS: Family = Family::new("suppress", &[code_of::<suppress3x3<u8>>(), code_of::<suppress3x3<f32>>()]);

/// Integers from floats, with one scale.
pub static QUANTIZE: Family = Family::new(
    "quantize",
    &[code_of::<quantize<u8>>(), code_of::<quantize<i8>>(), code_of::<quantize<u16>>(), code_of::<quantize<i16>>()],
);

/// Integers from floats, with a scale for each channel.
pub static QUANTIZE_CHANNELS: Family =
    Family::new("quantize_channels", &[code_of::<quantize_channels<u8>>(), code_of::<quantize_channels<i8>>()]);

/// Floats from integers, with one scale.
pub static DEQUANTIZE: Family = Family::new(
    "dequantize",
    &[
        code_of::<dequantize<u8>>(),
        code_of::<dequantize<i8>>(),
        code_of::<dequantize<u16>>(),
        code_of::<dequantize<i16>>(),
        code_of::<dequantize<i32>>(),
    ],
);

/// Floats from integers, with a scale for each channel.
pub static DEQUANTIZE_CHANNELS: Family = Family::new(
    "dequantize_channels",
    &[
        code_of::<dequantize_channels<u8>>(),
        code_of::<dequantize_channels<i8>>(),
        code_of::<dequantize_channels<i32>>(),
    ],
);

/// Integers of one scale from integers of another.
pub static REQUANTIZE: Family = Family::new(
    "requantize",
    &[code_of::<requantize<u8>>(), code_of::<requantize<i8>>(), code_of::<requantize<i16>>()],
);

/// Integers of one scale from integers of another, by a float.
pub static REQUANTIZE_FLOAT: Family =
    Family::new("requantize_float", &[code_of::<requantize_float<u8>>(), code_of::<requantize_float<i8>>()]);

/// Integers of one scale from integers of another, with a multiplier and a shift for each channel.
pub static REQUANTIZE_CHANNELS: Family =
    Family::new("requantize_channels", &[code_of::<requantize_channels<u8>>(), code_of::<requantize_channels<i8>>()]);

/// As `REQUANTIZE_CHANNELS`, rounded once.
pub static REQUANTIZE_CHANNELS_ONCE: Family = Family::new(
    "requantize_channels_once",
    &[code_of::<requantize_channels_once<u8>>(), code_of::<requantize_channels_once<i8>>()],
);

/// Integers of one scale from integers of another, with a float for each channel.
pub static REQUANTIZE_FLOAT_CHANNELS: Family = Family::new(
    "requantize_float_channels",
    &[code_of::<requantize_float_channels<u8>>(), code_of::<requantize_float_channels<i8>>()],
);

/// Integers of one scale from integers of another, by a float, with an offset that is added before the rounding.
pub static REQUANTIZE_AFFINE: Family =
    Family::new("requantize_affine", &[code_of::<requantize_affine<u8>>(), code_of::<requantize_affine<i8>>()]);

/// The sum of two quantised tensors.
pub static ADD_QUANTIZED: Family =
    Family::new("add_quantized", &[code_of::<add_quantized<u8>>(), code_of::<add_quantized<i8>>()]);

/// As `ADD_QUANTIZED`, rounded once.
pub static ADD_QUANTIZED_ONCE: Family =
    Family::new("add_quantized_once", &[code_of::<add_quantized_once<u8>>(), code_of::<add_quantized_once<i8>>()]);

/// Conversion between all types of elements.
pub static CONVERT: Family = Family::new(
    "convert",
    &[
        code_of::<convert_up>(),
        code_of::<widen_u8<u16>>(),
        code_of::<widen_u8<i32>>(),
        code_of::<widen_i8<i16>>(),
        code_of::<widen_i8<i32>>(),
        code_of::<widen_to_i32<u16>>(),
        code_of::<widen_to_i32<i16>>(),
        code_of::<narrow_u8<i8>>(),
        code_of::<narrow_i8<u8>>(),
        code_of::<narrow_i8<u16>>(),
        code_of::<narrow_u16<u8>>(),
        code_of::<narrow_u16<i8>>(),
        code_of::<narrow_u16<i16>>(),
        code_of::<narrow_i16<i8>>(),
        code_of::<convert_down>(),
        code_of::<narrow_i16<u16>>(),
        code_of::<narrow_i32<u8>>(),
        code_of::<narrow_i32<i8>>(),
        code_of::<narrow_i32<u16>>(),
        code_of::<narrow_i32<i16>>(),
        code_of::<to_float<u8>>(),
        code_of::<to_float<i8>>(),
        code_of::<to_float<u16>>(),
        code_of::<to_float<i16>>(),
        code_of::<to_float<i32>>(),
        code_of::<from_float<u8>>(),
        code_of::<from_float<i8>>(),
        code_of::<from_float<u16>>(),
        code_of::<from_float<i16>>(),
        code_of::<from_float<i32>>(),
    ],
);

/// Every element twice along both axes.
pub static DOUBLE_ELEMENTS: Family =
    Family::new("double_elements", &[code_of::<double_elements<u8>>(), code_of::<double_elements<f32>>()]);

/// Every family.
pub static ALL: &[&Family] = &[
    &ADD,
    &SUBTRACT,
    &MULTIPLY,
    &ABS_DIFF,
    &CONVOLVE,
    &GAUSSIAN,
    &NON_LINEAR_BOX,
    &NON_LINEAR_CROSS,
    &CONVERT_DEPTH,
    &CHANNEL_EXTRACT,
    &CHANNEL_COMBINE,
    &TABLE_LOOKUP,
    &MINIMUM,
    &MAXIMUM,
    &SQUARED_DIFFERENCE,
    &COMPARE,
    &SELECT,
    &CLIP,
    &MULTIPLY_255,
    &MULTIPLY_SCALED,
    &SOBEL,
    &HARRIS_SCORE,
    &SUPPRESS,
    &QUANTIZE,
    &QUANTIZE_CHANNELS,
    &DEQUANTIZE,
    &DEQUANTIZE_CHANNELS,
    &REQUANTIZE,
    &REQUANTIZE_FLOAT,
    &REQUANTIZE_CHANNELS,
    &REQUANTIZE_CHANNELS_ONCE,
    &REQUANTIZE_FLOAT_CHANNELS,
    &ADD_QUANTIZED,
    &CONVERT,
    &DOUBLE_ELEMENTS,
];
