//! Why memory of a device can't be had, or isn't what was asked for.

use crate::{device::error::MissingFeature, driver::error::DriverError, memory::shape::ImageShape};
use windrow_runtime::memory::MemoryError;

/// Why memory of a device can't be had, or isn't what was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    OutOfRange {
        /// The first byte.
        offset: usize,
        /// The number of bytes.
        length: usize,
        /// The buffer's size.
        capacity: usize,
    },
    /// More bytes than the device has room for.
    #[error("`{argument}` takes {bytes} bytes, the device has room for {most}")]
    TooLarge {
        /// The argument.
        argument: String,
        /// Its bytes.
        bytes: u64,
        /// What the device has.
        most: u64,
    },
    /// The device has no memory left, even after all free blocks of the pools were given back.
    #[error("no device memory for {bytes} bytes beside {resident} that the pool has: {error}")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes that the pool's blocks take.
        resident: u64,
        /// What the driver said.
        error: DriverError,
    },
    /// An image that the device doesn't take.
    #[error("an image of {}×{} pixels, the device takes 1×1 to {width}×{height}", image.width, image.height)]
    ImageSize {
        /// The image.
        image: ImageShape,
        /// The greatest width.
        width: u64,
        /// The greatest height.
        height: u64,
    },
    /// A box of pixels that reaches outside its image.
    #[error("{width}×{height} pixels from ({x}, {y}) on lie outside an image of {}×{}", image.width, image.height)]
    OutsideImage {
        /// The first column.
        x: usize,
        /// The first row.
        y: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The image.
        image: ImageShape,
    },
    /// An image that starts between two elements.
    #[error("an image starts {offset} bytes into its buffer, which is no multiple of {alignment}")]
    Misaligned {
        /// Its first byte.
        offset: usize,
        /// The size of a channel.
        alignment: usize,
    },
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
