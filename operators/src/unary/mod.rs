//! Functions of one float.
pub mod area;
pub mod erf;
pub mod exponential;
pub mod hyperbolic;
pub mod magnitude_and_sign;
pub mod powers;
pub mod rounding;
pub mod trigonometry;
