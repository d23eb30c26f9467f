//! Functions of one float.
pub mod magnitude_and_sign;
pub mod powers;
pub mod rounding;
