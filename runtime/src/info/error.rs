//! Why a tensor, a view or their metadata can't be made.

use crate::{dtype::DType, shape::Shape};

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
    /// There is not one stride a dimension.
    #[error("found {found} strides for {expected} dimensions")]
    StrideCount {
        /// Strides given.
        found: usize,
        /// Dimensions given.
        expected: usize,
    },
    /// Elements that share bytes with others, where they are to be written.
    #[error(
        "a tensor that is written must not overlap itself: dimension {dimension} has a stride of {found} bytes, what lies inside it takes {least}"
    )]
    Overlap {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes: 0 repeats one element.
        found: isize,
        /// The least magnitude under which nothing overlaps.
        least: usize,
    },
    /// Elements of a row that lie apart, or backwards, where they must lie side by side.
    #[error("elements of a row must be {expected} bytes apart, found {found}")]
    RowStride {
        /// The last dimension's stride in bytes.
        found: isize,
        /// The size of an element.
        expected: usize,
    },
    /// A stride that is not a multiple of a channel's size.
    #[error("dimension {dimension} has a stride of {found} bytes, which is not a multiple of {alignment}")]
    StrideMisaligned {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: isize,
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
    /// Another shape.
    #[error("the tensor has the shape {found}, expected {expected}")]
    Shape {
        /// Its shape.
        found: Shape,
        /// The shape that it must have.
        expected: Shape,
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
        found: DType,
        /// Its channels.
        found_channels: u32,
        /// The type asked for.
        expected: DType,
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
        found: isize,
        /// The stride without a gap, all of the inner dimension being valid.
        expected: isize,
    },
    /// Padding put around a tensor whose strides the caller has chosen.
    #[error(
        "dimension {dimension} has a stride of {found} bytes, with its padding it takes {expected}: it can't be padded"
    )]
    Strided {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: isize,
        /// The stride that shape and padding give.
        expected: isize,
    },
    /// A first element so close to the start of its memory that others, of negative strides, would lie before it.
    #[error(
        "the first element lies {found} bytes behind the start of the memory, others up to {least} bytes before it"
    )]
    BeforeMemory {
        /// Bytes from the start of the memory to the first element.
        found: usize,
        /// Bytes that elements take before the first.
        least: usize,
    },
    /// An order of dimensions that does not name each of them once.
    #[error("an order of dimensions names each of {rank} once, found {found} that do not")]
    Order {
        /// Dimensions named.
        found: usize,
        /// Dimensions of the tensor.
        rank: usize,
    },
    /// A step of 0.
    #[error("dimension {dimension} can't be walked in steps of 0")]
    Step {
        /// Which dimension.
        dimension: usize,
    },
    /// A shape to which another can't be broadcast.
    #[error("a tensor of {from} can't be broadcast to {to}: only a dimension of one element repeats")]
    Broadcast {
        /// The tensor's shape.
        from: Shape,
        /// The shape asked for.
        to: Shape,
    },
    /// A lane that an element does not have.
    #[error("there is no channel {found}, an element has {lanes}")]
    Lane {
        /// The channel asked for.
        found: u32,
        /// Channels of an element.
        lanes: u32,
    },
    /// A byte that is not a `bool`, in memory that is to be read as `bool`s.
    #[error("a bool is 0 or 1, found {found}")]
    Bool {
        /// The byte.
        found: u8,
    },
    /// A tensor that has not as many dimensions as asked for.
    #[error("expected a tensor of {expected} dimensions, found {found}")]
    Rank {
        /// Dimensions of the tensor.
        found: usize,
        /// Those asked for.
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
