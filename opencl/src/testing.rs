//! What tests use of this crate beyond its public names: failures on purpose, what devices said of themselves, and kernels
//! that are known by their plans alone.
//!
//! The harness of the generated tests is the crate `windrow-testing`.

pub(crate) mod fault;
pub mod recorded;

use crate::{DeviceImage, OpenClError};
#[doc(hidden)]
pub use crate::{
    arguments::{Given, Inputs},
    kernel::Runner,
};

/// Copies an image to another of the same type and shape, and waits.
#[doc(hidden)]
pub fn copy(from: &DeviceImage, to: &DeviceImage) -> Result<(), OpenClError> {
    let queue = from.buffer().context().queue();
    from.copy_into(queue, to)?;
    queue.sync()
}
