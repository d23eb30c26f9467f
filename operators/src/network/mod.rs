//! Pieces of networks.
pub mod batch_normalization;
pub mod bias_clip;
pub mod conv2d;
pub mod conv2d_bytes;
pub mod dense;
pub mod depthwise3x3;
pub mod depthwise_conv2d;
pub mod double_elements;
pub mod l2_normalize;
pub mod matrix_product;
pub mod range;
pub mod row_norm;
pub mod scale_complex;
pub mod softmax;
pub mod transposed_conv2d;
