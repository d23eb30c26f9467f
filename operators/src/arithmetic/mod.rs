//! Arithmetic of two images, element by element.
pub mod abs_diff;
pub mod add;
pub mod multiply;
pub mod subtract;
