//! What a device says of itself, as data that can be written down, read back, and replaced.

use crate::{
    DeviceFamily, Driver, FloatSupport, IntegerUnits, Level, OpenClError, classify,
    driver::{
        ids::{DeviceId, PlatformId},
        platform::number,
    },
};
use opencl3::{
    device::{
        CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_EXTENSIONS, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, CL_DEVICE_GLOBAL_MEM_SIZE,
        CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_HOST_UNIFIED_MEMORY, CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE2D_MAX_HEIGHT,
        CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_LOCAL_MEM_TYPE, CL_DEVICE_MAX_CLOCK_FREQUENCY,
        CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_MAX_WORK_GROUP_SIZE,
        CL_DEVICE_MAX_WORK_ITEM_SIZES, CL_DEVICE_MEM_BASE_ADDR_ALIGN, CL_DEVICE_NAME, CL_DEVICE_OPENCL_C_VERSION,
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, CL_DEVICE_SINGLE_FP_CONFIG,
        CL_DEVICE_TYPE, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION, CL_LOCAL,
    },
    platform::platform::{CL_PLATFORM_NAME, CL_PLATFORM_VERSION},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What kind of processor a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DeviceKind {
    /// The host's own processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Another processor that runs OpenCL C.
    Accelerator,
    /// One that runs kernels of its own only.
    Custom,
}

/// The sizes of images in two dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageLimits {
    /// The greatest width, in elements of four channels.
    pub width: u64,
    /// The greatest height.
    pub height: u64,
}

/// Everything known of a device. [`super::Device::with_caps`] gives a device the capabilities of one that isn't here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceCaps {
    /// Its platform's name.
    pub platform: String,
    /// Its platform's version.
    pub platform_version: String,
    /// Its own name.
    pub name: String,
    /// Who made it.
    pub vendor: String,
    /// Its OpenCL version, as the driver says it.
    pub version: String,
    /// The version of its driver.
    pub driver_version: String,
    /// The version of OpenCL C that its compiler knows.
    pub c_version: String,
    /// What it is.
    pub kind: DeviceKind,
    /// Processors that each run work-groups.
    pub compute_units: u32,
    /// Its clock, in MHz.
    pub frequency: u32,
    /// Bytes of memory.
    pub global_memory: u64,
    /// Bytes of cache in front of it.
    pub global_cache: u64,
    /// Bytes of the largest buffer.
    pub max_allocation: u64,
    /// Bytes of memory that a work-group shares.
    pub local_memory: u64,
    /// Whether that is memory of the compute units' own, rather than a part of the global one.
    pub has_local_memory: bool,
    /// Work-items of the largest group.
    pub max_work_group: u64,
    /// The largest group in each dimension.
    pub max_work_items: [u64; 3],
    /// The number whose multiples groups should be.
    pub preferred_multiple: u64,
    /// Bytes that the offset of a part of a buffer is a multiple of.
    pub base_alignment: u64,
    /// Image sizes; none where the device has no images.
    pub images: Option<ImageLimits>,
    /// What single-precision floats keep.
    pub floats: FloatSupport,
    /// What half-precision floats keep; none where kernels can't compute with them.
    pub half: Option<FloatSupport>,
    /// Whether kernels can compute with double precision.
    pub double: bool,
    /// What its integers are computed in.
    pub integers: IntegerUnits,
    /// Whether it and the host share memory.
    pub unified_memory: bool,
    /// Whether a queue may run its commands in another order than they came.
    pub out_of_order: bool,
    /// What it offers beyond the standard.
    pub extensions: BTreeSet<String>,
}

impl DeviceCaps {
    /// Returns whether the device offers an extension.
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.contains(extension)
    }

    /// Returns whether the device sums products of bytes in one instruction.
    pub fn dot_product(&self) -> bool {
        self.has("cl_khr_integer_dot_product") || self.has("cl_arm_integer_dot_product_int8")
    }

    /// Returns whether work-items of a part of a group can talk to each other.
    pub fn subgroups(&self) -> bool {
        self.has("cl_khr_subgroups") || self.has("cl_intel_subgroups")
    }

    /// Returns whether launches can be recorded.
    pub fn command_buffers(&self) -> bool {
        self.has("cl_khr_command_buffer")
    }

    /// Returns who made it, and which of theirs it is.
    pub fn family(&self) -> DeviceFamily {
        classify(self).0
    }

    /// Returns how strong the device is among its kind.
    pub fn level(&self) -> Level {
        classify(self).1
    }

    /// Estimates the float operations a second: what a compute unit of its family does in a cycle, times their number
    /// and the clock. A multiplication with an addition counts as two. Good for comparing devices of one machine.
    pub fn estimated_flops(&self) -> f64 {
        let each_cycle = match self.family() {
            DeviceFamily::Nvidia | DeviceFamily::Adreno { .. } => 256.0,
            DeviceFamily::Amd => 128.0,
            DeviceFamily::Mali(_) => 48.0,
            DeviceFamily::Intel => 16.0,
            DeviceFamily::Cpu => 32.0,
            DeviceFamily::Other => 32.0,
        };
        f64::from(self.compute_units) * f64::from(self.frequency) * 1e6 * each_cycle
    }

    /// Returns the device's OpenCL version, as (major, minor).
    pub fn opencl(&self) -> (u32, u32) {
        let numbers = self.version.strip_prefix("OpenCL ").unwrap_or(&self.version);
        let mut numbers = numbers.split(['.', ' ']).map(|number| number.parse().unwrap_or(0));
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    }

    /// Asks a device. What a driver doesn't know is a zero or absent; what every driver knows is an error.
    pub(super) fn ask(driver: &Driver, platform: PlatformId, id: DeviceId) -> Result<Self, OpenClError> {
        let text = |name| driver.device_text(id, name);
        let asked = |name| driver.device_info(id, name).ok().and_then(|bytes| number(&bytes)).unwrap_or(0);
        let known = |name| Ok::<u64, OpenClError>(number(&driver.device_info(id, name)?).unwrap_or(0));
        let items = words(&driver.device_info(id, CL_DEVICE_MAX_WORK_ITEM_SIZES)?);
        let extensions: BTreeSet<String> = text(CL_DEVICE_EXTENSIONS)?.split_whitespace().map(String::from).collect();
        let opencl3_only = |name| Some(asked(name)).filter(|value| *value > 0);
        let kind = kind(known(CL_DEVICE_TYPE)?);
        // The query succeeds with nothing on devices that only store halves.
        let half =
            Some(asked(CL_DEVICE_HALF_FP_CONFIG)).filter(|bits| *bits != 0 && extensions.contains("cl_khr_fp16"));
        let image = |name| asked(name);
        Ok(Self {
            platform: driver.platform_text(platform, CL_PLATFORM_NAME)?,
            platform_version: driver.platform_text(platform, CL_PLATFORM_VERSION)?,
            name: text(CL_DEVICE_NAME)?,
            vendor: text(CL_DEVICE_VENDOR)?,
            version: text(CL_DEVICE_VERSION)?,
            driver_version: text(CL_DRIVER_VERSION)?,
            c_version: text(CL_DEVICE_OPENCL_C_VERSION)?,
            kind,
            compute_units: known(CL_DEVICE_MAX_COMPUTE_UNITS)? as u32,
            frequency: asked(CL_DEVICE_MAX_CLOCK_FREQUENCY) as u32,
            global_memory: known(CL_DEVICE_GLOBAL_MEM_SIZE)?,
            global_cache: asked(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
            max_allocation: known(CL_DEVICE_MAX_MEM_ALLOC_SIZE)?,
            local_memory: known(CL_DEVICE_LOCAL_MEM_SIZE)?,
            has_local_memory: asked(CL_DEVICE_LOCAL_MEM_TYPE) == u64::from(CL_LOCAL),
            max_work_group: known(CL_DEVICE_MAX_WORK_GROUP_SIZE)?,
            max_work_items: core::array::from_fn(|k| items.get(k).copied().unwrap_or(1)),
            preferred_multiple: opencl3_only(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE).unwrap_or(1),
            base_alignment: (known(CL_DEVICE_MEM_BASE_ADDR_ALIGN)? / 8).max(1),
            images: (asked(CL_DEVICE_IMAGE_SUPPORT) != 0).then(|| ImageLimits {
                width: image(CL_DEVICE_IMAGE2D_MAX_WIDTH),
                height: image(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
            }),
            floats: FloatSupport::from_bits(known(CL_DEVICE_SINGLE_FP_CONFIG)?),
            half: half.map(FloatSupport::from_bits),
            double: asked(CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
            integers: IntegerUnits::ask(driver, id),
            unified_memory: asked(CL_DEVICE_HOST_UNIFIED_MEMORY) != 0,
            out_of_order: asked(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) & 1 != 0,
            extensions,
        })
    }
}

fn kind(bits: u64) -> DeviceKind {
    // The bit of the default device may be set beside the others.
    match bits {
        bits if bits & 1 << 2 != 0 => DeviceKind::Gpu,
        bits if bits & 1 << 1 != 0 => DeviceKind::Cpu,
        bits if bits & 1 << 3 != 0 => DeviceKind::Accelerator,
        _ => DeviceKind::Custom,
    }
}

/// Numbers of the host's word size.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(size_of::<usize>()).filter_map(number).collect()
}
