//! Chains on a device: a composite function's stages, one after the other on one queue, its intermediates in managed
//! blocks of the device's memory.
//!
//! The chain is the one that runs on the processor ([`windrow_runtime::function::Chain`]), with the same valid regions and the same
//! results. Its stages are generated kernels, which run as a configured kernel does, in the context's precision (in halves, the
//! images between stages lie in halves too), and operators with code for a device ([`DeviceCode`]), of which [`SourceOperator`] is
//! one. Programs are built, and memory is planned, when it is made; a run binds images and enqueues. Host images pass
//! through blocks of the device's pools that the chain keeps, so that a second run allocates nothing. [`ByStage`] places each stage
//! by itself, and plans what is copied between the processor and the device.

mod code;
mod device;
mod generated;
mod on_device;
mod placed;
mod places;
mod source;
mod stage;
mod values;

pub use code::{DeviceArguments, DeviceCode, DeviceCompiled, DeviceTarget};
pub use device::DeviceChain;
pub use on_device::OnDevice;
pub use places::{ByStage, StagePlace};
pub use source::{SourceArgument, SourceImages, SourceLaunch, SourceOperator};

use crate::{DeviceMemoryError, OpenClError};
use windrow_runtime::function::{ExecutorError, FunctionError};

impl From<DeviceMemoryError> for FunctionError {
    fn from(error: DeviceMemoryError) -> FunctionError {
        OpenClError::from(error).into()
    }
}

impl From<OpenClError> for FunctionError {
    fn from(error: OpenClError) -> FunctionError {
        FunctionError::Executor(ExecutorError::new(error))
    }
}
