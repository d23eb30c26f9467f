//! Arithmetic of two images, element by element.
pub mod abs_diff;
pub mod add;
pub mod add_scaled;
pub mod divide;
pub mod extremum;
pub mod multiply;
pub mod multiply_255;
pub mod multiply_scaled;
pub mod multiply_unscaled;
pub mod squared_difference;
pub mod subtract;
pub mod transcendental;
