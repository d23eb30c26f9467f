//! Conversions of the type of elements.
pub mod float;
pub mod narrow;
pub mod widen;
