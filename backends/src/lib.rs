//! The emitters of windrow: from checked IR to text.
pub mod host;
pub mod neon;
pub mod opencl;
pub mod scalar;
#[cfg(feature = "doors")]
pub mod doors;
