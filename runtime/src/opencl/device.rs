//! The devices of the machine, and the choice of one.
//!
//! [`Devices::find`] asks every platform once. A device is chosen by a part of its name or its platform's, by its
//! index in the list, or by the environment variable `WINDROW_OPENCL_DEVICE`, which holds either.

use super::{
    driver::{DeviceId, Driver, PlatformId},
    error::OpenClError,
};
use crate::code::OpenClForm;
use opencl3::{
    device::{
        CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, CL_DEVICE_NAME, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
        CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_TYPE_ALL, CL_DEVICE_VERSION, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        CL_FP_DENORM, CL_FP_INF_NAN, CL_FP_ROUND_TO_NEAREST,
    },
    platform::platform::CL_PLATFORM_NAME,
};
use std::{fmt, format, slice, string::String, string::ToString, vec::Vec};

/// The environment variable that [`Devices::choose`] reads.
pub const DEVICE_VARIABLE: &str = "WINDROW_OPENCL_DEVICE";

/// One device, with what kernels ask of it.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its place in the list of all devices.
    pub index: usize,
    /// Its platform's name.
    pub platform: String,
    /// Its own name.
    pub name: String,
    /// Its OpenCL version, as the driver says it.
    pub version: String,
    /// What its floats keep.
    pub floats: FloatSupport,
    /// What its integers are computed in.
    pub integers: IntegerUnits,
    pub(super) id: DeviceId,
    #[allow(dead_code, reason = "whose extensions a context asks for")]
    pub(super) of_platform: PlatformId,
}

/// What a device computes integers of 8 and 16 bits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerUnits {
    /// Vectors of narrow lanes.
    Vectors,
    /// Scalars of 32 bits.
    Scalars,
    /// The same, with the least and the greatest of two halves (NVIDIA, from compute capability 9 on).
    ScalarsWithPairs,
}

/// What single-precision floats keep on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatSupport {
    /// Denormals are not flushed to zero.
    pub denormals: bool,
    /// Infinities and NaNs are kept.
    pub infinities_and_nans: bool,
    /// Results round to the nearest, ties to even.
    pub rounds_to_nearest: bool,
    /// Division and square root can be correctly rounded, under a flag of the build.
    pub correctly_rounded_division: bool,
}

/// Every device of the machine, platform after platform. Never empty.
#[derive(Clone, Debug)]
pub struct Devices {
    driver: Driver,
    list: Vec<Device>,
}

impl Devices {
    /// Asks every platform for its devices.
    pub fn find() -> Result<Self, OpenClError> {
        Self::find_with(&Driver::new())
    }

    /// [`Self::find`], with counters that the caller looks at. Whatever is opened from here counts there.
    pub fn find_with(driver: &Driver) -> Result<Self, OpenClError> {
        let platforms = driver.platforms()?;
        if platforms.is_empty() {
            return Err(OpenClError::NoPlatform);
        }
        let mut list = Vec::new();
        let mut names = Vec::new();
        for platform in platforms {
            let name = driver.platform_text(platform, CL_PLATFORM_NAME)?;
            for id in driver.devices(platform, CL_DEVICE_TYPE_ALL)? {
                list.push(Device::ask(driver, platform, &name, id, list.len())?);
            }
            names.push(name);
        }
        if list.is_empty() {
            return Err(OpenClError::NoDevice { platforms: names });
        }
        Ok(Self { driver: driver.clone(), list })
    }

    /// What their contexts count with.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// The device that `WINDROW_OPENCL_DEVICE` names (an index, or a part of a name); the first one without it.
    pub fn choose(&self) -> Result<&Device, OpenClError> {
        match std::env::var(DEVICE_VARIABLE) {
            Ok(wanted) if !wanted.is_empty() => match wanted.parse() {
                Ok(index) => self.by_index(index),
                Err(_) => self.by_name(&wanted),
            },
            Ok(_) | Err(_) => self.by_index(0),
        }
    }

    /// The first device whose name or platform holds `part`, whatever the case.
    pub fn by_name(&self, part: &str) -> Result<&Device, OpenClError> {
        let wanted = part.to_lowercase();
        self.iter()
            .find(|device| device.to_string().to_lowercase().contains(&wanted))
            .ok_or_else(|| OpenClError::NotFound { wanted: part.to_string(), available: self.labels() })
    }

    /// The device at `index`.
    pub fn by_index(&self, index: usize) -> Result<&Device, OpenClError> {
        self.list
            .get(index)
            .ok_or_else(|| OpenClError::NotFound { wanted: index.to_string(), available: self.labels() })
    }

    /// All devices.
    pub fn iter(&self) -> slice::Iter<'_, Device> {
        self.list.iter()
    }

    fn labels(&self) -> Vec<String> {
        self.iter().map(|device| format!("{}: {device}", device.index)).collect()
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
    fn ask(
        driver: &Driver,
        of_platform: PlatformId,
        platform: &str,
        id: DeviceId,
        index: usize,
    ) -> Result<Self, OpenClError> {
        let floats = driver.device_info(id, CL_DEVICE_SINGLE_FP_CONFIG)?;
        Ok(Self {
            index,
            platform: platform.to_string(),
            name: driver.device_text(id, CL_DEVICE_NAME)?,
            version: driver.device_text(id, CL_DEVICE_VERSION)?,
            floats: FloatSupport::from_bits(number(&floats).unwrap_or(0)),
            integers: IntegerUnits::ask(driver, id),
            id,
            of_platform,
        })
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.platform, self.name)
    }
}

impl IntegerUnits {
    /// The form of a kernel that computes fastest, the best first.
    pub(super) fn forms(self) -> &'static [OpenClForm] {
        match self {
            Self::Vectors => &[OpenClForm::Vectors],
            Self::Scalars => &[OpenClForm::Pairs, OpenClForm::Vectors],
            Self::ScalarsWithPairs => &[OpenClForm::Pairs, OpenClForm::ComparedPairs, OpenClForm::Vectors],
        }
    }

    /// A device that does not answer computes as most do.
    fn ask(driver: &Driver, id: DeviceId) -> Self {
        let number = |name| number(&driver.device_info(id, name).ok()?);
        match (number(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR), number(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)) {
            (Some(1), Some(9..)) => Self::ScalarsWithPairs,
            (Some(1), _) => Self::Scalars,
            (_, _) => Self::Vectors,
        }
    }
}

impl FloatSupport {
    /// What is missing for results equal to the reference to the bit; `divides`: where a kernel divides or takes a
    /// square root.
    pub fn lacks(self, divides: bool) -> Vec<&'static str> {
        let rules = [
            (self.denormals, "denormals"),
            (self.infinities_and_nans, "infinities and NaNs"),
            (self.rounds_to_nearest, "rounding to nearest"),
            (self.correctly_rounded_division || !divides, "correctly rounded division"),
        ];
        rules.into_iter().filter(|(kept, _)| !kept).map(|(_, rule)| rule).collect()
    }

    fn from_bits(bits: u64) -> Self {
        Self {
            denormals: bits & CL_FP_DENORM != 0,
            infinities_and_nans: bits & CL_FP_INF_NAN != 0,
            rounds_to_nearest: bits & CL_FP_ROUND_TO_NEAREST != 0,
            correctly_rounded_division: bits & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        }
    }
}

/// An unsigned number of the library's, whose size says its type.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    match bytes.len() {
        4 => bytes.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes).into()),
        8 => bytes.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes)),
        _ => None,
    }
}
