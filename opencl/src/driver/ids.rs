//! The names of platforms and devices.

use opencl3::types::{cl_device_id, cl_platform_id};
use std::ffi::c_void;

/// A platform of the library. It lives as long as the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlatformId(pub(super) cl_platform_id);

/// A device of a platform. It lives as long as the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId(pub(super) cl_device_id);

// SAFETY: names of things that live as long as the process, usable on any thread.
unsafe impl Send for PlatformId {}
// SAFETY: as above.
unsafe impl Sync for PlatformId {}
// SAFETY: as above.
unsafe impl Send for DeviceId {}
// SAFETY: as above.
unsafe impl Sync for DeviceId {}

impl DeviceId {
    pub(crate) fn raw(self) -> *mut c_void {
        self.0
    }
}

impl PlatformId {
    pub(crate) fn raw(self) -> *mut c_void {
        self.0
    }
}
