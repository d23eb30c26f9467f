//! What tells one device, driver and compiler from another, as far as a built program is concerned.

use crate::device::DeviceCaps;
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
    /// The identity of a device.
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

    /// Each field with its name.
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

    /// The first field in which another identity differs.
    pub fn difference(&self, found: &DeviceIdentity) -> Option<Difference> {
        let pairs = self.fields().into_iter().zip(found.fields());
        let differing = pairs.into_iter().find(|((_, expected), (_, found))| expected != found);
        differing.map(|((field, expected), (_, found))| Difference {
            field,
            expected: expected.to_owned(),
            found: found.to_owned(),
        })
    }
}

impl fmt::Display for DeviceIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}, driver {}", self.platform, self.name, self.driver_version)
    }
}

/// A field in which two identities differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which field.
    pub field: &'static str,
    /// What it is here.
    pub expected: String,
    /// What it is there.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`, here `{}`", self.field, self.found, self.expected)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An identity whose fields are all different.
    pub(crate) fn identity() -> DeviceIdentity {
        DeviceIdentity {
            platform: "P".to_owned(),
            name: "N".to_owned(),
            vendor: "V".to_owned(),
            device_version: "OpenCL 1.2 X".to_owned(),
            driver_version: "3.1".to_owned(),
            c_version: "OpenCL C 1.2".to_owned(),
        }
    }

    /// The identity with each of its fields changed, one at a time.
    pub(crate) fn flipped() -> Vec<DeviceIdentity> {
        let flips: [fn(&mut DeviceIdentity) -> &mut String; 6] = [
            |it| &mut it.platform,
            |it| &mut it.name,
            |it| &mut it.vendor,
            |it| &mut it.device_version,
            |it| &mut it.driver_version,
            |it| &mut it.c_version,
        ];
        let flip = |field: fn(&mut DeviceIdentity) -> &mut String| {
            let mut identity = identity();
            field(&mut identity).push('!');
            identity
        };
        flips.into_iter().map(flip).collect()
    }

    #[test]
    fn a_difference_names_its_field() {
        assert_eq!(identity().difference(&identity()), None);
        for (other, (field, _)) in flipped().iter().zip(identity().fields()) {
            assert_eq!(identity().difference(other).map(|difference| difference.field), Some(field));
        }
    }
}
