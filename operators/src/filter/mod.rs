//! Filters over a neighbourhood.
pub mod box3x3;
pub mod convolve;
pub mod dilate3x3;
pub mod erode3x3;
pub mod gaussian3x3;
pub mod gaussian5x5;
pub mod half_scale_gaussian;
pub mod median3x3;
pub mod non_linear_box3;
pub mod non_linear_box5;
pub mod non_linear_cross3;
pub mod non_linear_cross5;
pub mod scharr3x3;
pub mod sobel3x3;
