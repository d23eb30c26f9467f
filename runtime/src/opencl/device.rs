//! The devices of the machine, and the choice of one.
//!
//! [`Devices::find`] asks every platform once. A device is chosen by a part of its name or its platform's, by its
//! index in the list, or by the environment variable `WINDROW_OPENCL_DEVICE`, which holds either.

use super::{driver, error::OpenClError};
use crate::code::OpenClForm;
use opencl3::{
    device::{
        CL_DEVICE_TYPE_ALL, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, CL_FP_DENORM, CL_FP_INF_NAN, CL_FP_ROUND_TO_NEAREST,
    },
    error_codes::{CL_DEVICE_NOT_FOUND, CL_PLATFORM_NOT_FOUND_KHR, DLOPEN_RUNTIME_LOAD_FAILED},
    platform::{Platform, get_platforms},
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
    pub(super) handle: opencl3::device::Device,
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
    list: Vec<Device>,
}

impl Devices {
    /// Asks every platform for its devices.
    pub fn find() -> Result<Self, OpenClError> {
        let _turn = driver::turn();
        let platforms = platforms()?;
        let mut list = Vec::new();
        let mut names = Vec::new();
        for platform in &platforms {
            let name = platform.name().map_err(OpenClError::call("clGetPlatformInfo"))?;
            append_devices(platform, &name, &mut list)?;
            names.push(name);
        }
        if list.is_empty() { Err(OpenClError::NoDevice { platforms: names }) } else { Ok(Self { list }) }
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
    fn of(handle: &opencl3::device::Device) -> Self {
        match (handle.max_preferred_vector_width_char(), handle.compute_capability_major_nv()) {
            (Ok(1), Ok(9..)) => Self::ScalarsWithPairs,
            (Ok(1), _) => Self::Scalars,
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

fn platforms() -> Result<Vec<Platform>, OpenClError> {
    match get_platforms() {
        Ok(platforms) if platforms.is_empty() => Err(OpenClError::NoPlatform),
        Ok(platforms) => Ok(platforms),
        Err(error) if error.0 == DLOPEN_RUNTIME_LOAD_FAILED => Err(OpenClError::NoLibrary),
        Err(error) if error.0 == CL_PLATFORM_NOT_FOUND_KHR => Err(OpenClError::NoPlatform),
        Err(error) => Err(OpenClError::call("clGetPlatformIDs")(error)),
    }
}

/// A platform without devices adds none.
fn append_devices(platform: &Platform, platform_name: &str, list: &mut Vec<Device>) -> Result<(), OpenClError> {
    let ids = match platform.get_devices(CL_DEVICE_TYPE_ALL) {
        Ok(ids) => ids,
        Err(error) if error.0 == CL_DEVICE_NOT_FOUND => return Ok(()),
        Err(error) => return Err(OpenClError::call("clGetDeviceIDs")(error)),
    };
    for id in ids {
        let handle = opencl3::device::Device::new(id);
        let info = OpenClError::call("clGetDeviceInfo");
        list.push(Device {
            index: list.len(),
            platform: platform_name.trim().to_string(),
            name: handle.name().map_err(&info)?.trim().to_string(),
            version: handle.version().map_err(&info)?.trim().to_string(),
            floats: FloatSupport::from_bits(handle.single_fp_config().map_err(&info)?),
            integers: IntegerUnits::of(&handle),
            handle,
        });
    }
    Ok(())
}
