//! The library's families: kernels that do the same on other types or sizes, for programs that find the types at run time.

use windrow::family::{Family, code_of};

use crate::*;

/// Addition.
pub static ADD: Family =
    Family::new("add", &[code_of::<add>(), code_of::<add_widening>(), code_of::<add_mixed>(), code_of::<add_i16>()]);

/// Subtraction.
pub static SUBTRACT: Family = Family::new(
    "subtract",
    &[
        code_of::<subtract>(),
        code_of::<subtract_widening>(),
        code_of::<subtract_mixed>(),
        code_of::<subtract_mixed_reversed>(),
        code_of::<subtract_i16>(),
    ],
);

/// Multiplication by another image and by a power of two.
pub static MULTIPLY: Family = Family::new(
    "multiply",
    &[code_of::<multiply>(), code_of::<multiply_widening>(), code_of::<multiply_mixed>(), code_of::<multiply_i16>()],
);

/// Absolute difference.
pub static ABS_DIFF: Family = Family::new("abs_diff", &[code_of::<abs_diff>(), code_of::<abs_diff_i16>()]);

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

/// Every family.
pub static ALL: [&Family; 12] = [
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
];
