//! Everything that can go wrong between a kernel and an OpenCL device.
//!
//! The rooms below have errors of their own, in files that name nothing above them; this one is theirs together. Some say that
//! OpenCL, or what was asked of it, isn't there; a caller may fall back to the processor on them (see
//! [`OpenClError::is_absence`]).

use crate::{
    BuildError, DeviceMemoryError, DriverError, FloatFormat, Hint, IllegalLocalSize, InvalidOption, MemForm,
    MissingFeature, NoImageForm,
};
use windrow_runtime::{
    dtype::DType,
    error::RunError,
    info::{InvalidTensor, Shape},
    text::InvalidText,
};

/// An error of the OpenCL runtime.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum OpenClError {
    /// The library, or the loader before it.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The library knows no platform.
    #[error("no OpenCL platform: the library is present, but no driver is registered with it")]
    NoPlatform,
    /// The platforms have no device.
    #[error("no OpenCL device: {} platform(s), none with a device", platforms.len())]
    NoDevice { platforms: Vec<String> },
    /// The library, a platform or a device lacks what was asked for.
    #[error(transparent)]
    NoFeature(#[from] MissingFeature),
    /// No device answers to the choice.
    #[error("no OpenCL device matches `{wanted}`; there are: {}", available.join("; "))]
    NotFound {
        /// A part of a name, or an index.
        wanted: String,
        /// Every device, as `index: platform / device`.
        available: Vec<String>,
    },
    /// An environment variable that says nothing of its kind.
    #[error("{variable}: {error}")]
    Environment { variable: &'static str, error: InvalidText },
    /// Options that contradict each other.
    #[error("{one} and {other} contradict each other")]
    Conflict { one: Hint, other: Hint },
    /// An object of another context, or of another device of it.
    #[error("{argument} belongs to {found}, expected one of {expected}: contexts share no objects")]
    Foreign { argument: String, found: String, expected: String },
    /// An image whose memory the host is using.
    #[error("`{argument}` is mapped to the host: give the mapping back first")]
    Mapped { argument: String },
    /// A program can't be had.
    #[error(transparent)]
    Build(BuildError),
    /// Memory of the device can't be had, or isn't what was asked for.
    #[error(transparent)]
    Memory(DeviceMemoryError),
    /// Images were asked for, and the kernel can't read them here.
    #[error("`{kernel}` can't read images: {reason}")]
    NoImageForm { kernel: &'static str, reason: NoImageForm },
    /// Elements of a type that no kernel takes.
    #[error("an image on a device holds a type that kernels take, found {found}")]
    ElementType { found: DType },
    /// A stride of an image on a device, or of a tensor lent to a transfer under way, that does not go forwards.
    #[error(
        "dimension {dimension} has a stride of {found} bytes; here elements of a row lie side by side, and rows one after another"
    )]
    Stride {
        /// Which dimension, counted from the outermost.
        dimension: usize,
        found: isize,
    },
    /// Rows too far apart for a kernel's `int` strides.
    #[error("rows are {found} bytes apart, a device takes at most 2^31 - 1")]
    RowStride { found: usize },
    /// Planes that are not equally far apart.
    #[error("dimension {dimension} has a stride of {found} bytes, planes on a device must be {expected} apart")]
    PlaneStride {
        dimension: usize,
        found: usize,
        /// The stride that continues the planes inside it.
        expected: usize,
    },
    /// Metadata that can't be laid out on a device.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// Images of different shapes or types.
    #[error("`{argument}` on the device is {found} of {found_element}, expected {expected} of {expected_element}")]
    Image { argument: &'static str, found: Shape, expected: Shape, found_element: DType, expected_element: DType },
    /// An image whose floats lie in another format than its user takes: a kernel of another precision, or the host.
    #[error("the floats of `{argument}` lie in {found}, expected {expected}")]
    FloatFormat { argument: String, found: FloatFormat, expected: FloatFormat },
    /// Inputs in a form that the kernel does not read where it is: images for a kernel that reads buffers, or, in a
    /// recording, buffers for one that reads images. A run copies such buffers; a replay would not copy anew.
    #[error("`{argument}` is given as {found}, `{kernel}` reads {expected}s here")]
    Form { kernel: &'static str, argument: &'static str, found: MemForm, expected: MemForm },
    /// An image that each run would repeat by copies, which a replay would not.
    #[error(
        "`{argument}` of {found} would be repeated to {expected} by copies, which no replay makes: give it in full"
    )]
    NotReplayed { argument: &'static str, found: Shape, expected: Shape },
    /// A list that isn't as long as the kernel's signature.
    #[error("found {found} {what}, the kernel takes {expected}")]
    Count { what: &'static str, found: usize, expected: usize },
    /// The program lacks an entry for a choice of variants, outputs and schedule.
    #[error("the OpenCL program of `{kernel}` has no entry for body {index} with schedule {schedule}")]
    NoEntry { kernel: &'static str, index: u32, schedule: usize },
    /// A program whose entry doesn't keep the convention of arguments.
    #[error("`{entry}` takes {found} arguments, its specification makes {expected}")]
    ArgumentCount { entry: &'static str, found: u32, expected: u32 },
    /// The arguments of a run are wrong, on every target.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A work-group that the device doesn't take.
    #[error(transparent)]
    LocalSize(#[from] IllegalLocalSize),
}

impl OpenClError {
    /// Returns whether this says that the machine has no OpenCL (of the wanted kind), rather than that something
    /// failed.
    pub fn is_absence(&self) -> bool {
        match self {
            Self::Driver(error) => error.is_absence(),
            Self::Build(error) => error.is_absence(),
            Self::Memory(error) => error.is_absence(),
            error => {
                matches!(error, Self::NoPlatform | Self::NoDevice { .. } | Self::NoFeature(_) | Self::NotFound { .. })
            }
        }
    }
}

impl From<InvalidOption> for OpenClError {
    fn from(error: InvalidOption) -> OpenClError {
        OpenClError::Build(error.into())
    }
}

/// A call that failed, and a feature that is missing, are the same whoever met them.
impl From<BuildError> for OpenClError {
    fn from(error: BuildError) -> OpenClError {
        match error {
            BuildError::Driver(error) => error.into(),
            BuildError::NoFeature(error) => error.into(),
            error => OpenClError::Build(error),
        }
    }
}

impl From<DeviceMemoryError> for OpenClError {
    fn from(error: DeviceMemoryError) -> OpenClError {
        match error {
            DeviceMemoryError::Driver(error) => error.into(),
            DeviceMemoryError::NoFeature(error) => error.into(),
            error => OpenClError::Memory(error),
        }
    }
}

impl From<DeviceMemoryError> for windrow_runtime::Error {
    fn from(error: DeviceMemoryError) -> windrow_runtime::Error {
        OpenClError::from(error).into()
    }
}

impl From<OpenClError> for windrow_runtime::Error {
    fn from(error: OpenClError) -> windrow_runtime::Error {
        match error {
            // What the processor refuses too is the same error there and here.
            OpenClError::Run(error) => error.into(),
            OpenClError::Tensor(error) => error.into(),
            OpenClError::Memory(DeviceMemoryError::Blocks(error)) => error.into(),
            error => windrow_runtime::Error::other(error),
        }
    }
}
