//! What a call of the OpenCL library can answer instead of a result.

use crate::Call;
use cl3::error_codes::{ClError, DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED};

/// An error of the library, or of the loader before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum DriverError {
    /// The loader found no OpenCL library.
    #[error("no OpenCL library: install an OpenCL loader (libOpenCL.so.1), or name it in OPENCL_DYLIB_PATH")]
    NoLibrary,
    /// The library, or the driver, has no such function.
    #[error("the OpenCL library lacks {function}")]
    NoFunction { function: &'static str },
    /// A call of the library failed.
    #[error("{call} failed: {name} ({code})")]
    Call { call: Call, name: &'static str, code: i32 },
}

impl DriverError {
    /// What a code that a call returned says.
    pub(crate) fn of(call: Call, code: i32) -> Self {
        match code {
            DLOPEN_RUNTIME_LOAD_FAILED => Self::NoLibrary,
            DLOPEN_FUNCTION_NOT_AVAILABLE => Self::NoFunction { function: call.name() },
            code => Self::Call { call, code, name: ClError(code).into() },
        }
    }

    /// Returns whether the machine has no OpenCL, or none that can do this, rather than that something failed.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::NoLibrary | Self::NoFunction { .. })
    }
}
