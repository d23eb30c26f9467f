//! Platforms and devices, and what they say of themselves.

use crate::{
    Call, Driver, DriverError,
    driver::{
        gateway::library,
        ids::{DeviceId, PlatformId},
    },
};
use opencl3::{
    device::{get_device_data, get_device_ids},
    error_codes::{CL_DEVICE_NOT_FOUND, CL_PLATFORM_NOT_FOUND_KHR, DLOPEN_FUNCTION_NOT_AVAILABLE},
    platform::platform::{get_platform_data, get_platform_ids},
    types::{cl_device_type, cl_uint},
};
use std::{
    ffi::{CStr, c_void},
    ptr::NonNull,
};

impl Driver {
    /// Every platform; none is an empty list.
    pub(crate) fn platforms(&self) -> Result<Vec<PlatformId>, DriverError> {
        let ids = self.make(Call::GetPlatformIds, || match get_platform_ids() {
            Err(CL_PLATFORM_NOT_FOUND_KHR) => Ok(Vec::new()),
            ids => ids,
        })?;
        Ok(ids.into_iter().map(PlatformId).collect())
    }

    /// What a platform says under `name`.
    pub(crate) fn platform_text(&self, platform: PlatformId, name: cl_uint) -> Result<String, DriverError> {
        self.make(Call::GetPlatformInfo, || get_platform_data(platform.0, name)).map(|bytes| text(&bytes))
    }

    /// The devices of a platform; none is an empty list.
    pub(crate) fn devices(&self, platform: PlatformId, kind: cl_device_type) -> Result<Vec<DeviceId>, DriverError> {
        let ids = self.make(Call::GetDeviceIds, || match get_device_ids(platform.0, kind) {
            Err(CL_DEVICE_NOT_FOUND) => Ok(Vec::new()),
            ids => ids,
        })?;
        Ok(ids.into_iter().map(DeviceId).collect())
    }

    /// What a device says under `name`.
    pub(crate) fn device_info(&self, device: DeviceId, name: cl_uint) -> Result<Vec<u8>, DriverError> {
        self.make(Call::GetDeviceInfo, || get_device_data(device.0, name))
    }

    /// The text that a device says under `name`.
    pub(crate) fn device_text(&self, device: DeviceId, name: cl_uint) -> Result<String, DriverError> {
        self.device_info(device, name).map(|bytes| text(&bytes))
    }

    /// A function of an extension, which the library itself doesn't offer.
    pub(crate) fn extension_function(
        &self,
        platform: PlatformId,
        name: &CStr,
    ) -> Result<Option<NonNull<c_void>>, DriverError> {
        self.make(Call::GetExtensionFunction, || {
            let function = library()?.clGetExtensionFunctionAddressForPlatform(platform.0, name.as_ptr());
            function.map(NonNull::new).ok_or(DLOPEN_FUNCTION_NOT_AVAILABLE)
        })
    }
}

/// A text of the library, without its end mark and the blanks around it.
pub(super) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(bytes).trim().into()
}

/// An unsigned number of the library's, whose size says its type.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    match bytes.len() {
        4 => bytes.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes).into()),
        8 => bytes.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes)),
        _ => None,
    }
}
