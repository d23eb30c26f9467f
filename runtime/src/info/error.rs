//! Why a tensor, a view or their metadata can't be made.

use crate::element::ElementType;

/// Why a tensor, a view or their metadata can't be made. Dimensions are counted from the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTensor {
    /// More than six dimensions.
    #[error("a tensor has at most 6 dimensions, found {found}")]
    TooManyDimensions {
        /// Their number.
        found: usize,
    },
    /// A dimension that the tensor lacks.
    #[error("there is no dimension {found}, the tensor has {rank}")]
    Dimension {
        /// The dimension asked for, counted from the outermost.
        found: usize,
        /// The tensor's dimensions.
        rank: usize,
    },
    /// An extent above 2^30.
    #[error("dimension {dimension} has extent {found}, the greatest is 2^30")]
    ExtentTooLarge {
        /// Which dimension.
        dimension: usize,
        /// Its extent.
        found: usize,
    },
    /// The number of channels is not 1 to 4.
    #[error("an element has 1 to 4 channels, found {found}")]
    Channels {
        /// Their number.
        found: u32,
    },
    /// More bytes than the address space holds.
    #[error("the tensor's size in bytes overflows at dimension {dimension}")]
    TooLarge {
        /// The first dimension whose bytes can't be counted.
        dimension: usize,
    },
    /// A dimension that goes backwards in memory.
    #[error("dimension {dimension} has a stride of {found} elements, which goes backwards")]
    Backwards {
        /// Which dimension.
        dimension: usize,
        /// Its stride in elements.
        found: isize,
    },
    /// There is not one stride a dimension.
    #[error("found {found} strides for {expected} dimensions")]
    StrideCount {
        /// Strides given.
        found: usize,
        /// Dimensions given.
        expected: usize,
    },
    /// A stride under which elements would overlap.
    #[error("dimension {dimension} has a stride of {found} bytes, the dimension inside it takes {least}")]
    StrideTooSmall {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: usize,
        /// The least possible one.
        least: usize,
    },
    /// Elements of a row must lie side by side.
    #[error("elements of a row must be {expected} bytes apart, found {found}")]
    RowStride {
        /// The last dimension's stride in bytes.
        found: usize,
        /// The size of an element.
        expected: usize,
    },
    /// A stride that is no multiple of a channel's size.
    #[error("dimension {dimension} has a stride of {found} bytes, which is no multiple of {alignment}")]
    StrideMisaligned {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: usize,
        /// The size of a channel.
        alignment: usize,
    },
    /// The data are too short for the shape.
    #[error("the tensor takes {expected} bytes, the data hold {found}")]
    TooShort {
        /// Bytes in the data.
        found: usize,
        /// Bytes that the shape takes.
        expected: usize,
    },
    /// The data are not as long as the shape says.
    #[error("the shape holds {expected} elements, the data {found}")]
    Length {
        /// Elements in the data.
        found: usize,
        /// Elements of the shape.
        expected: usize,
    },
    /// A region of interest that leaves the tensor.
    #[error("the region starts at {start} and takes {extent} in dimension {dimension}, the tensor has {available}")]
    Region {
        /// Which dimension.
        dimension: usize,
        /// Its first coordinate.
        start: usize,
        /// Its extent.
        extent: usize,
        /// The tensor's extent.
        available: usize,
    },
    /// The element type differs.
    #[error("the tensor holds {found} with {found_channels} channels, expected {expected} with {expected_channels}")]
    Element {
        /// The type held.
        found: ElementType,
        /// Its channels.
        found_channels: u32,
        /// The type asked for.
        expected: ElementType,
        /// Its channels.
        expected_channels: u32,
    },
    /// Memory that does not start at a multiple of a channel's size.
    #[error("the first element lies {found} bytes behind a multiple of {alignment} bytes, its alignment")]
    Misaligned {
        /// Bytes behind it.
        found: usize,
        /// The size of a channel.
        alignment: usize,
    },
    /// No memory at all.
    #[error("the memory of {expected} bytes is at the null pointer")]
    Null {
        /// Bytes that the tensor takes.
        expected: usize,
    },
    /// A valid region that leaves the tensor.
    #[error("the valid region goes from {start} to {end} in dimension {dimension}, the tensor has {extent}")]
    ValidRegion {
        /// Which dimension.
        dimension: usize,
        /// Its first coordinate.
        start: usize,
        /// Behind its last.
        end: usize,
        /// The tensor's extent.
        extent: usize,
    },
    /// Dimensions that lie apart in memory, or are valid in part, and so can't become one.
    #[error(
        "dimension {dimension} can't join the one inside it: it has a stride of {found} bytes, expected {expected}"
    )]
    Gap {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: usize,
        /// The stride without a gap, all of the inner dimension being valid.
        expected: usize,
    },
    /// Padding put around a tensor whose strides the caller has chosen.
    #[error(
        "dimension {dimension} has a stride of {found} bytes, with its padding it takes {expected}: it can't be padded"
    )]
    Strided {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: usize,
        /// The stride that shape and padding give.
        expected: usize,
    },
    /// A scale of 0 or below, or none at all.
    #[error("a quantization's scale is a positive finite number")]
    Scale,
    /// Memory ran out.
    #[error("no memory for {bytes} bytes")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
    },
}
