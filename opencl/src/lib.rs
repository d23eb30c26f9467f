//! Running kernels on OpenCL devices.
//!
//! The library is loaded at run time: a machine without it builds and runs everything else, and gets
//! [`DriverError::NoLibrary`] here. [`Devices`] lists what there is, [`Context`] owns one device and its queue,
//! [`Program`] is a kernel's source built for it, [`DeviceImage`] an image in its memory, and [`OpenClKernel`] a
//! configured kernel that runs on device images or on the host's views. [`DeviceMemory`] pools the memory of such images,
//! and a [`DeviceChain`] runs several kernels, one after the other. [`Queue`], [`Event`] and [`Submission`] order what is
//! enqueued, and a [`Recording`] replays it. [`ByStage`] shares the stages of a chain, or the rows of one, with the processor.
//!
//! Every call of the library is a method of [`Driver`], which counts it; nothing outside `driver` names one.

mod apply;
mod arguments;
mod buffer;
mod chain;
mod context;
mod device;
mod driver;
mod error;
mod event;
mod format;
mod gpu;
mod hint;
mod host;
mod image;
mod kernel;
mod launch;
mod local;
mod memory;
mod numerics;
mod options;
mod precision;
mod profile;
mod program;
mod queue;
mod record;
mod source_kernel;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod tuner;
mod uses;
mod validate;
mod words;

#[cfg(feature = "testing")]
pub use testing::recorded;
#[cfg(test)]
mod tests;

pub use apply::OpenCl;
pub use buffer::Buffer;
pub use chain::{
    ByStage, DeviceArguments, DeviceChain, DeviceCode, DeviceCompiled, DeviceTarget, OnDevice, SourceArgument,
    SourceImages, SourceLaunch, SourceOperator, StagePlace,
};
pub use context::Context;
pub use device::{
    DEVICE_VARIABLE, Device, DeviceCaps, DeviceChoice, DeviceFamily, DeviceKind, Devices, FloatSupport, ImageLimits,
    IntegerUnits, Level, MaliGeneration, MissingFeature, classify,
};
pub use driver::{Call, Counters, Driver, DriverError, ObjectKind, Role, SERIALISED_CALLS_VARIABLE, SerialisedCalls};
pub use error::OpenClError;
pub use event::{Event, UserEvent};
pub use format::{FloatFormat, Precision};
pub use gpu::{DeviceTensor, Gpu};
pub use hint::{Hint, HintReport};
pub use image::{DeviceImage, MapAccess, MappedImage, NoImageForm, Pending, SampledImage};
pub use kernel::OpenClKernel;
pub use local::{IllegalLocalSize, LocalLimits, LocalSize};
pub use memory::{
    DeviceBlocks, DeviceManager, DeviceMemory, DeviceMemoryError, Image2d, ImageChannels, ImageShape, MemForm,
    MemFormReason, MemMode, Packing, PoolCounters, Storage, Tensor4, WasteBound,
};
pub use numerics::{EffectiveNumerics, FloatDivision, Numerics};
pub use options::ContextOptions;
pub use precision::EffectivePrecision;
pub use profile::{CpuSpan, LaunchRecord, Profile, Profiler, TimedScheduler, Timestamps};
pub use program::{
    AuthorLine, BuildError, BuildMessage, BuildOptions, CacheFolder, CacheReport, DeviceIdentity, Digest,
    InvalidDigest, InvalidFolder, InvalidOption, KERNELS_VARIABLE, KernelFolder, LineTable, Mismatch, Pack, Program,
    ProgramForm, ProgramKey, ProgramSource, Programs, Record, Rejected, Rejection, Severity, Unsaved,
};
pub use queue::{Flush, Queue, QueueOptions, Submission};
pub use record::{Recorded, Recording};
pub use source_kernel::{Argument, SourceKernel};
pub use tuner::{
    Candidate, InvalidTable, ScheduleSpace, ShapeClass, Space, TUNE_VARIABLE, Timer, TuneApplied, TuneKey, TuneLevel,
    TuneMode, TuneOutcome, TuneSettings, TuneTable, Tuner, Tuning, search,
};
pub use validate::{validate, validate_source};
