//! A device's memory: blocks that are used again, in two pools, and counted by the driver's own sizes.
//!
//! [`DeviceMemory`] hands out [`Buffer`]s and [`Image2d`]s of the storage that is wanted ([`Storage`]); dropping one gives
//! it back. [`DeviceManager`] places the intermediates of chains in blocks of it, by the planner that places the
//! processor's. [`MemMode`] says whether kernels read buffers or images, [`Packing`] how large either must be.
//!
//! A block that comes back may be handed out at once: by then, what was enqueued on it is done, or stands in the same
//! in-order queue as what its next owner will enqueue.

pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod form;
pub(crate) mod image2d;
pub(crate) mod manager;
pub(crate) mod mode;
pub(crate) mod packing;
pub(crate) mod pool;
pub(crate) mod shape;
pub(crate) mod source;

#[cfg(test)]
mod tests;

pub use device::{DeviceMemory, Storage};
pub use error::DeviceMemoryError;
pub use form::MemForm;
pub use image2d::Image2d;
pub use manager::{DeviceBlocks, DeviceManager};
pub use mode::{MemFormReason, MemMode};
pub use packing::{Packing, Tensor4};
pub use pool::{PoolCounters, WasteBound};
pub use shape::{ImageChannels, ImageShape};
