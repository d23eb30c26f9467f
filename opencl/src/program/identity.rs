//! What tells one device, driver and compiler from another, as far as a built program is concerned.

use crate::DeviceCaps;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The device, its driver and its compiler. A program built under one identity is never used under another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceIdentity {
    /// The platform's name.
    pub platform: String,
    /// The device's name.
    pub name: String,
    /// The device's vendor.
    pub vendor: String,
    /// The OpenCL version of the device, with what the driver adds to it.
    pub device_version: String,
    /// The version of the driver.
    pub driver_version: String,
    /// The version of OpenCL C that its compiler speaks.
    pub c_version: String,
}

impl DeviceIdentity {
    /// Returns the identity of a device.
    pub fn of(device: &DeviceCaps) -> Self {
        Self {
            platform: device.platform.clone(),
            name: device.name.clone(),
            vendor: device.vendor.clone(),
            device_version: device.version.clone(),
            driver_version: device.driver_version.clone(),
            c_version: device.c_version.clone(),
        }
    }

    /// Returns each field with its name.
    pub fn fields(&self) -> [(&'static str, &str); 6] {
        [
            ("platform", &self.platform),
            ("device", &self.name),
            ("vendor", &self.vendor),
            ("device version", &self.device_version),
            ("driver version", &self.driver_version),
            ("OpenCL C version", &self.c_version),
        ]
    }
}

impl fmt::Display for DeviceIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}, driver {}", self.platform, self.name, self.driver_version)
    }
}

#[cfg(test)]
pub(crate) mod tests;
