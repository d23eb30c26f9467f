//! Conversions of the type of elements.
pub mod float;
pub mod half;
pub mod narrow;
pub mod widen;
