//! The library's families: kernels that do the same on other types or sizes, for programs that find the types at run time.

use windrow::family::{Family, code_of};

use crate::*;

/// Writes a static for each family, and the list of all.
macro_rules! families {
    (
        images { $($(#[$doc:meta])* $family:ident = $name:literal: $($kernel:ty),+;)* }
        networks { $($(#[$network_doc:meta])* $network:ident = $network_name:literal: $($network_kernel:ty),+;)* }
    ) => {
        $($(#[$doc])* pub static $family: Family = Family::new($name, &[$(code_of::<$kernel>()),+]);)*
        $(
            $(#[$network_doc])*
            #[cfg(feature = "network")]
            pub static $network: Family = Family::new($network_name, &[$(code_of::<$network_kernel>()),+]);
        )*

        /// Every family.
        pub static ALL: &[&Family] = &[$(&$family,)* $(#[cfg(feature = "network")] &$network,)*];
    };
}

families! {
    images {
        /// Addition.
        ADD = "add": add, add_widening, add_mixed, add_i16, add_i32, add_f32;
        /// Subtraction.
        SUBTRACT = "subtract":
            subtract, subtract_widening, subtract_mixed, subtract_mixed_reversed, subtract_i16, subtract_i32, subtract_f32;
        /// Multiplication by another image and by a power of two.
        MULTIPLY = "multiply": multiply, multiply_widening, multiply_mixed, multiply_i16, multiply_i32, multiply_f32;
        /// Absolute difference.
        ABS_DIFF = "abs_diff": abs_diff, abs_diff_i16, abs_diff_mixed;
        /// Convolution with coefficients known at run time.
        CONVOLVE = "convolve":
            convolve3x3<u8>, convolve3x3<i16>, convolve5x5<u8>, convolve5x5<i16>, convolve7x3<u8>, convolve7x3<i16>,
            convolve7x7<u8>, convolve7x7<i16>, convolve9x9<u8>, convolve9x9<i16>;
        /// Convolution with a filter of any size, which is an image.
        CONVOLVE_ANY = "convolve_any": convolve<u8>, convolve<i16>;
        /// Gaussian blur.
        GAUSSIAN = "gaussian": gaussian3x3, gaussian5x5;
        /// Rank filter over a box.
        NON_LINEAR_BOX = "non_linear_box": non_linear_box3, non_linear_box5;
        /// Rank filter over a cross.
        NON_LINEAR_CROSS = "non_linear_cross": non_linear_cross3, non_linear_cross5;
        /// Conversion between 8 and 16 bits.
        CONVERT_DEPTH = "convert_depth": convert_up, convert_down;
        /// One channel of interleaved pixels.
        CHANNEL_EXTRACT = "channel_extract": channel_extract2, channel_extract, channel_extract4;
        /// Planes as interleaved pixels.
        CHANNEL_COMBINE = "channel_combine": channel_combine2, channel_combine, channel_combine4;
        /// Look-up tables.
        TABLE_LOOKUP = "table_lookup": table_lookup, table_lookup_i16;
        /// The lesser of two images.
        MINIMUM = "minimum": minimum<u8>, minimum<i16>, minimum<i32>, minimum<f32>;
        /// The greater of two images.
        MAXIMUM = "maximum": maximum<u8>, maximum<i16>, maximum<i32>, maximum<f32>;
        /// Squared difference.
        SQUARED_DIFFERENCE = "squared_difference": squared_difference, squared_difference_i16, squared_difference_i32;
        /// Comparisons.
        COMPARE = "compare": compare<u8>, compare<i16>, compare<i32>, compare<f32>;
        /// A choice between two images.
        SELECT = "select": select<u8>, select<i16>, select<i32>, select<f32>;
        /// Multiplication by another image and by 1 / 255.
        MULTIPLY_255 = "multiply_255": multiply_255, multiply_255_widening, multiply_255_mixed, multiply_255_i16;
        /// Multiplication by another image and by any scale.
        MULTIPLY_SCALED = "multiply_scaled": multiply_scaled<u8>, multiply_scaled<i16>;
        /// Sobel gradients.
        SOBEL = "sobel": sobel3x3, sobel5x5, sobel7x7;
        /// Harris' measure of corners.
        HARRIS_SCORE = "harris_score": harris_score3, harris_score5;
        /// Harris' measure of corners over blocks of any size.
        HARRIS_SCORE_ANY = "harris_score_any": harris_score<i16>, harris_score<i32>;
        /// Only what is greatest among its neighbours.
        SUPPRESS = "suppress": suppress3x3<u8>, suppress3x3<f32>;
        /// Conversion between all types of elements.
        CONVERT = "convert":
            convert_up, widen_u8<u16>, widen_u8<i32>, widen_i8<i16>, widen_i8<i32>, widen_to_i32<u16>, widen_to_i32<i16>,
            narrow_u8<i8>, narrow_i8<u8>, narrow_i8<u16>, narrow_u16<u8>, narrow_u16<i8>, narrow_u16<i16>, narrow_i16<i8>,
            convert_down, narrow_i16<u16>, narrow_i32<u8>, narrow_i32<i8>, narrow_i32<u16>, narrow_i32<i16>, to_float<u8>,
            to_float<i8>, to_float<u16>, to_float<i16>, to_float<i32>, from_float<u8>, from_float<i8>, from_float<u16>,
            from_float<i16>, from_float<i32>, to_half, from_half;
        /// Elements at mapped places, of nearest elements.
        REMAP_NEAREST = "remap_nearest": remap_nearest<u8>, remap_nearest<f32>, remap_nearest3;
        /// Images of another size, bilinear.
        SCALE_BILINEAR = "scale_bilinear":
            scale_bilinear<u8>, scale_bilinear<i16>, scale_bilinear_f32, scale_bilinear3, scale_bilinear4;
        /// Images of another size, of nearest elements.
        SCALE_NEAREST = "scale_nearest":
            scale_nearest<u8>, scale_nearest<i16>, scale_nearest<f32>, scale_nearest3, scale_nearest4;
        /// Elements at strides of a tensor's own.
        AS_STRIDED = "as_strided": as_strided<u8>, as_strided<i8>, as_strided<i32>, as_strided<f32>;
        /// Channels as blocks of elements, the block before the channel.
        DEPTH_TO_SPACE = "depth_to_space": depth_to_space<u8>, depth_to_space<f32>;
        /// Channels as blocks of elements, the channel before the block.
        PIXEL_SHUFFLE = "pixel_shuffle": pixel_shuffle<u8>, pixel_shuffle<f32>;
        /// Blocks of elements as channels.
        SPACE_TO_DEPTH = "space_to_depth": space_to_depth<u8>, space_to_depth<f32>;
        /// Two tensors, one behind the other.
        CONCATENATE = "concatenate": concatenate<u8>, concatenate<f32>;
        /// Elements along one axis, by their places.
        GATHER = "gather": gather<u8>, gather<i8>, gather<i32>, gather<f32>;
        /// Rows of a table, by their places.
        GATHER_ROWS = "gather_rows": gather_rows<u8>, gather_rows<f32>;
        /// A tensor with a constant around it.
        PAD_CONSTANT = "pad_constant": pad_constant<u8>, pad_constant<f32>;
        /// The extremes of an image, how often each occurs, and where at first.
        MIN_MAX = "min_max": min_max<u8>, min_max<i16>;
        /// How many elements of each piece of a row are not zero.
        COUNT_NONZERO = "count_nonzero": count_nonzero<u8>, count_nonzero<f32>;
        /// Where the elements are that are not zero.
        NONZERO_PLACES = "nonzero_places": nonzero_places<u8>, nonzero_places<f32>;
    }
    networks {
        /// Values brought between two bounds.
        CLIP = "clip": clip<u8>, clip<i8>, clip<f32>;
        /// Integers from floats, with one scale.
        QUANTIZE = "quantize": quantize<u8>, quantize<i8>, quantize<u16>, quantize<i16>;
        /// Integers from floats, with a scale for each channel.
        QUANTIZE_CHANNELS = "quantize_channels": quantize_channels<u8>, quantize_channels<i8>;
        /// Floats from integers, with one scale.
        DEQUANTIZE = "dequantize": dequantize<u8>, dequantize<i8>, dequantize<u16>, dequantize<i16>, dequantize<i32>;
        /// Floats from integers, with a scale for each channel.
        DEQUANTIZE_CHANNELS = "dequantize_channels":
            dequantize_channels<u8>, dequantize_channels<i8>, dequantize_channels<i32>;
        /// Integers of one scale from integers of another.
        REQUANTIZE = "requantize": requantize<u8>, requantize<i8>, requantize<i16>;
        /// Integers of one scale from integers of another, by a float.
        REQUANTIZE_FLOAT = "requantize_float": requantize_float<u8>, requantize_float<i8>;
        /// Integers of one scale from integers of another, with a multiplier and a shift for each channel.
        REQUANTIZE_CHANNELS = "requantize_channels": requantize_channels<u8>, requantize_channels<i8>;
        /// As `REQUANTIZE_CHANNELS`, rounded once.
        REQUANTIZE_CHANNELS_ONCE = "requantize_channels_once": requantize_channels_once<u8>, requantize_channels_once<i8>;
        /// Integers of one scale from integers of another, with a float for each channel.
        REQUANTIZE_FLOAT_CHANNELS = "requantize_float_channels":
            requantize_float_channels<u8>, requantize_float_channels<i8>;
        /// Integers of one scale from integers of another, by a float, with an offset that is added before the rounding.
        REQUANTIZE_AFFINE = "requantize_affine": requantize_affine<u8>, requantize_affine<i8>;
        /// The sum of two quantised tensors.
        ADD_QUANTIZED = "add_quantized": add_quantized<u8>, add_quantized<i8>;
        /// As `ADD_QUANTIZED`, rounded once.
        ADD_QUANTIZED_ONCE = "add_quantized_once": add_quantized_once<u8>, add_quantized_once<i8>;
        /// Every element twice along both axes.
        DOUBLE_ELEMENTS = "double_elements": double_elements<u8>, double_elements<f32>;
        /// The greatest along one axis.
        REDUCE_MAX = "reduce_max": reduce_max<u8>, reduce_max<f32>;
        /// The least along one axis.
        REDUCE_MIN = "reduce_min": reduce_min<u8>, reduce_min<f32>;
        /// Sums of bytes along one axis.
        REDUCE_SUM_BYTES = "reduce_sum_bytes": reduce_sum_bytes<u8>, reduce_sum_bytes<i8>;
        /// The place of the greatest in each row.
        ROW_ARGMAX = "row_argmax": row_argmax<u8>, row_argmax<f32>;
        /// The least of each row.
        ROW_LEAST = "row_least": row_least<u8>, row_least<f32>;
        /// The greatest of each row.
        ROW_GREATEST = "row_greatest": row_greatest<u8>, row_greatest<f32>;
        /// Convolution of bytes.
        CONV2D_BYTES = "conv2d_bytes": conv2d_bytes<u8>, conv2d_bytes<i8>;
        /// Convolution of bytes, channel by channel.
        DEPTHWISE_CONV2D_BYTES = "depthwise_conv2d_bytes": depthwise_conv2d_bytes<u8>, depthwise_conv2d_bytes<i8>;
        /// Dense layer of bytes.
        DENSE_BYTES = "dense_bytes": dense_bytes<u8>, dense_bytes<i8>;
        /// Product of matrices of bytes.
        MATRIX_PRODUCT_BYTES = "matrix_product_bytes": matrix_product_bytes<u8>, matrix_product_bytes<i8>;
        /// Averages of bytes.
        AVERAGE_POOL2D_BYTES = "average_pool2d_bytes": average_pool2d_bytes<u8>, average_pool2d_bytes<i8>;
        /// The greatest of bytes.
        MAX_POOL2D_BYTES = "max_pool2d_bytes": max_pool2d_bytes<u8>, max_pool2d_bytes<i8>;
        /// The product of two quantised tensors.
        MULTIPLY_BYTES = "multiply_bytes": multiply_bytes<u8>, multiply_bytes<i8>;
    }
}
