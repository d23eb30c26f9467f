//! Images in a device's memory.
//!
//! [`DeviceImage`] describes any layout of a buffer whose rows and planes are equally far apart: with gaps, and from any
//! element on. `transfer` brings elements there and back, `map` lets the host use them where they are, and `broadcast`
//! shows a small image as a large one. [`SampledImage`] is a plane that kernels read through samplers; `form` says whether a
//! kernel can, and runs it. Floats may lie in buffers in halves ([`FloatFormat`]): `halves` converts them.

pub(crate) mod broadcast;
pub(crate) mod device;
pub(crate) mod form;
pub(crate) mod halves;
pub(crate) mod map;
pub(crate) mod reason;
pub(crate) mod sampled;
pub(crate) mod transfer;

pub use device::DeviceImage;
pub use map::{MapAccess, MappedImage};
pub use reason::NoImageForm;
pub use sampled::SampledImage;
pub use transfer::Pending;
