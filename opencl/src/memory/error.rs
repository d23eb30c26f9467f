//! Why memory of a device can't be had, or isn't what was asked for.

use crate::{DriverError, ImageShape, MissingFeature};
use windrow_runtime::memory::MemoryError;

/// Why memory of a device can't be had, or isn't what was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum DeviceMemoryError {
    /// A call of the library.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The device lacks what was asked for: images, for instance.
    #[error(transparent)]
    NoFeature(#[from] MissingFeature),
    /// Blocks of a manager that can't be had.
    #[error(transparent)]
    Blocks(#[from] MemoryError),
    /// A range of a buffer lies outside it.
    #[error("bytes {offset}..{offset}+{length} lie outside a buffer of {capacity} bytes")]
    OutOfRange { offset: usize, length: usize, capacity: usize },
    /// More bytes than the device has room for.
    #[error("`{argument}` takes {bytes} bytes, the device has room for {most}")]
    TooLarge { argument: String, bytes: u64, most: u64 },
    /// The device has no memory left, even after all free blocks of the pools were given back.
    #[error("no device memory for {bytes} bytes beside {resident} that the pool has: {error}")]
    OutOfMemory {
        bytes: u64,
        /// Bytes that the pool's blocks take.
        resident: u64,
        error: DriverError,
    },
    /// An image that the device doesn't take.
    #[error("an image of {}×{} pixels, the device takes 1×1 to {width}×{height}", image.width, image.height)]
    ImageSize { image: ImageShape, width: u64, height: u64 },
    /// A box of pixels that reaches outside its image.
    #[error("{width}×{height} pixels from ({x}, {y}) on lie outside an image of {}×{}", image.width, image.height)]
    OutsideImage { x: usize, y: usize, width: usize, height: usize, image: ImageShape },
    /// An image that starts between two elements.
    #[error("an image starts {offset} bytes into its buffer, which is no multiple of {alignment}")]
    Misaligned { offset: usize, alignment: usize },
}

impl DeviceMemoryError {
    /// Returns whether this says that the machine lacks something, rather than that something failed.
    pub fn is_absence(&self) -> bool {
        match self {
            Self::Driver(error) => error.is_absence(),
            error => matches!(error, Self::NoFeature(_)),
        }
    }
}
