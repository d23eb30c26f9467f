//! What can be wrong with a plan on a device.

use windrow::{Error, InvalidTensor, opencl::OpenClError};

use crate::error::RunPlanError;

/// Why a plan can't be brought to a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DevicePlanError {
    /// A step whose kernel is refused, or whose tensors are.
    #[error("node `{node}`, computed by `{kernel}`: {error}")]
    Step {
        /// The node.
        node: String,
        /// The operator of the library, or `copy`.
        kernel: &'static str,
        /// Why.
        #[source]
        error: Box<Error>,
    },
    /// The device has no memory for the tensors, or none of their size.
    #[error(transparent)]
    Memory(Box<OpenClError>),
    /// A tensor that can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
}

/// Why a plan does not run on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunOnDeviceError {
    /// The tensors are not the plan's.
    #[error(transparent)]
    Plan(#[from] RunPlanError),
    /// A node's kernel was not launched.
    #[error("node `{node}`: {error}")]
    Node {
        /// The node.
        node: String,
        /// Why.
        #[source]
        error: Box<OpenClError>,
    },
    /// The tensors did not go to the device, or did not come back.
    #[error(transparent)]
    OpenCl(Box<OpenClError>),
    /// A tensor can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
}

impl From<OpenClError> for DevicePlanError {
    fn from(error: OpenClError) -> DevicePlanError {
        DevicePlanError::Memory(Box::new(error))
    }
}

impl From<OpenClError> for RunOnDeviceError {
    fn from(error: OpenClError) -> RunOnDeviceError {
        RunOnDeviceError::OpenCl(Box::new(error))
    }
}

impl From<RunOnDeviceError> for Error {
    fn from(error: RunOnDeviceError) -> Error {
        Error::other(error)
    }
}
