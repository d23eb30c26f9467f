//! The devices of the machine, and the choice of one.
//!
//! [`Devices::find`] asks every platform once. A device is chosen by [`DeviceChoice`], or by the environment variable
//! `WINDROW_OPENCL_DEVICE`. What is known of a device is plain data, [`DeviceCaps`]; [`classify`] tells its family.

pub(crate) mod caps;
pub(crate) mod choice;
pub(crate) mod error;
pub(crate) mod family;
pub(crate) mod floats;

#[cfg(test)]
mod tests;

pub use caps::{DeviceCaps, DeviceKind, ImageLimits};
pub use choice::{DEVICE_VARIABLE, DeviceChoice};
pub use error::MissingFeature;
pub use family::{DeviceFamily, Level, MaliGeneration, classify};
pub use floats::{FloatSupport, IntegerUnits};

use crate::{
    Driver, OpenClError, SerialisedCalls,
    driver::ids::{DeviceId, PlatformId},
};
use opencl3::{device::CL_DEVICE_TYPE_ALL, platform::platform::CL_PLATFORM_NAME};
use std::{fmt, ops::Deref, slice};

/// One device, with what is known of it.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its place in the list of all devices.
    pub index: usize,
    /// Its platform's place in the list of platforms.
    pub platform_index: usize,
    /// Its place among its platform's devices.
    pub device_index: usize,
    /// What is known of it.
    pub caps: DeviceCaps,
    /// Which calls of several threads are serialised with its driver, whatever it is taken for.
    pub serialised: SerialisedCalls,
    pub(super) id: DeviceId,
    pub(super) of_platform: PlatformId,
}

/// Every device of the machine, platform after platform. Never empty.
#[derive(Clone, Debug)]
pub struct Devices {
    driver: Driver,
    list: Vec<Device>,
}

impl Devices {
    /// Asks every platform for its devices, of all kinds.
    pub fn find() -> Result<Self, OpenClError> {
        Self::find_with(&Driver::new())
    }

    /// Works as [`Self::find`], with counters that the caller looks at.
    pub fn find_with(driver: &Driver) -> Result<Self, OpenClError> {
        let platforms = driver.platforms()?;
        if platforms.is_empty() {
            return Err(OpenClError::NoPlatform);
        }
        let mut list = Vec::new();
        for (platform_index, platform) in platforms.iter().enumerate() {
            let driver = driver.with_serialised(driver.serialised(), *platform);
            for (device_index, id) in driver.devices(*platform, CL_DEVICE_TYPE_ALL)?.into_iter().enumerate() {
                let caps = DeviceCaps::ask(&driver, *platform, id)?;
                let of_platform = *platform;
                let (index, serialised) = (list.len(), SerialisedCalls::of_platform(&caps.platform));
                list.push(Device { index, platform_index, device_index, caps, serialised, id, of_platform });
            }
        }
        if list.is_empty() {
            let name = |platform| driver.platform_text(platform, CL_PLATFORM_NAME);
            return Err(OpenClError::NoDevice {
                platforms: platforms.into_iter().map(name).collect::<Result<_, _>>()?,
            });
        }
        Ok(Self { driver: driver.clone(), list })
    }

    /// Returns what asked them.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Returns all devices.
    pub fn iter(&self) -> slice::Iter<'_, Device> {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a Devices {
    type Item = &'a Device;
    type IntoIter = slice::Iter<'a, Device>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Device {
    /// Returns the same device with other capabilities: so decisions that depend on them can be tested without a device that has
    /// them.
    #[must_use]
    pub fn with_caps(&self, caps: DeviceCaps) -> Self {
        Self { caps, ..self.clone() }
    }
}

impl Deref for Device {
    type Target = DeviceCaps;

    fn deref(&self) -> &DeviceCaps {
        &self.caps
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.platform, self.name)
    }
}
