//! What is known of a tensor without its data: element type, channels, shape, strides.
//!
//! Every arithmetic step is checked here, once: a [`TensorInfo`] that exists can be walked without overflow, and its
//! elements do not overlap. `validate` and `infer` look at nothing else.

use crate::element::{Element, ElementType};

pub use crate::shape::{MAX_DIMENSIONS, MAX_EXTENT, Shape};

/// Why a tensor, a view or their metadata can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTensor {
    /// More than six dimensions.
    #[error("a tensor has at most 6 dimensions, found {found}")]
    TooManyDimensions {
        /// Their number.
        found: usize,
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
        /// The first dimension's stride in bytes.
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
    /// Memory ran out.
    #[error("no memory for {bytes} bytes")]
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
    },
}

/// The metadata of a tensor or of a view of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    element: ElementType,
    channels: u32,
    shape: Shape,
    strides: [usize; MAX_DIMENSIONS],
    size: usize,
}

impl TensorInfo {
    /// A tensor without gaps.
    ///
    /// ```
    /// use windrow_runtime::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::new(ElementType::U8, 3, &[640, 480])?;
    /// assert_eq!(info.stride(1), 1920);
    /// # Ok::<(), windrow_runtime::InvalidTensor>(())
    /// ```
    pub fn new(element: ElementType, channels: u32, extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        let shape = Shape::new(extents)?;
        let mut strides = [pixel_size(element, channels)?; MAX_DIMENSIONS];
        for dimension in 1..MAX_DIMENSIONS {
            strides[dimension] = shape
                .extent(dimension - 1)
                .max(1)
                .checked_mul(strides[dimension - 1])
                .filter(|&bytes| bytes <= isize::MAX as usize)
                .ok_or(InvalidTensor::TooLarge { dimension: dimension - 1 })?;
        }
        TensorInfo::checked(element, channels, shape, strides)
    }

    /// A tensor of elements `T` without gaps.
    pub fn of<T: Element>(extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        TensorInfo::new(T::TYPE, T::CHANNELS, extents)
    }

    /// A tensor without elements.
    pub(crate) fn empty<T: Element>() -> TensorInfo {
        TensorInfo {
            element: T::TYPE,
            channels: T::CHANNELS,
            shape: Shape::EMPTY,
            strides: [size_of::<T>(); MAX_DIMENSIONS],
            size: 0,
        }
    }

    /// A tensor whose rows, planes, … are `strides` bytes apart, one stride a dimension.
    ///
    /// Elements of a row lie side by side, and nothing overlaps.
    pub fn with_strides(
        element: ElementType,
        channels: u32,
        extents: &[usize],
        strides: &[usize],
    ) -> Result<TensorInfo, InvalidTensor> {
        if strides.len() != extents.len() {
            return Err(InvalidTensor::StrideCount { found: strides.len(), expected: extents.len() });
        }
        let shape = Shape::new(extents)?;
        let pixel = pixel_size(element, channels)?;
        let mut all = [0; MAX_DIMENSIONS];
        for dimension in 0..MAX_DIMENSIONS {
            all[dimension] = match strides.get(dimension) {
                Some(&stride) => stride,
                None if dimension == 0 => pixel,
                None => all[dimension - 1]
                    .checked_mul(shape.extent(dimension - 1).max(1))
                    .ok_or(InvalidTensor::TooLarge { dimension })?,
            };
        }
        TensorInfo::checked(element, channels, shape, all)
    }

    fn checked(
        element: ElementType,
        channels: u32,
        shape: Shape,
        strides: [usize; MAX_DIMENSIONS],
    ) -> Result<TensorInfo, InvalidTensor> {
        let pixel = pixel_size(element, channels)?;
        if strides[0] != pixel {
            return Err(InvalidTensor::RowStride { found: strides[0], expected: pixel });
        }
        let mut inside = pixel;
        for (dimension, &stride) in strides.iter().enumerate() {
            if stride % element.size() != 0 {
                return Err(InvalidTensor::StrideMisaligned { dimension, found: stride, alignment: element.size() });
            }
            if stride < inside {
                return Err(InvalidTensor::StrideTooSmall { dimension, found: stride, least: inside });
            }
            inside = (shape.extent(dimension).max(1) - 1)
                .checked_mul(stride)
                .and_then(|bytes| bytes.checked_add(inside))
                .filter(|&bytes| bytes <= isize::MAX as usize)
                .ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        Ok(TensorInfo { element, channels, shape, strides, size: if shape.is_empty() { 0 } else { inside } })
    }

    /// The type of a channel.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Channels of an element.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Elements along a row.
    pub fn width(&self) -> usize {
        self.shape.width()
    }

    /// Rows of a plane.
    pub fn height(&self) -> usize {
        self.shape.height()
    }

    /// Bytes from one element of `dimension` to the next.
    pub fn stride(&self, dimension: usize) -> usize {
        self.strides.get(dimension).copied().unwrap_or(self.size)
    }

    /// Bytes of an element with all its channels.
    pub fn pixel_size(&self) -> usize {
        self.strides[0]
    }

    /// Bytes from the first element to behind the last, gaps included.
    pub fn size_in_bytes(&self) -> usize {
        self.size
    }

    /// Bytes from the first element to the one at `coordinates` (missing ones are 0); `None` outside.
    pub fn offset(&self, coordinates: &[usize]) -> Option<usize> {
        if coordinates.len() > MAX_DIMENSIONS || self.shape.is_empty() {
            return None;
        }
        coordinates.iter().enumerate().try_fold(0, |offset, (dimension, &at)| {
            (at < self.shape.extent(dimension)).then(|| offset + at * self.strides[dimension])
        })
    }

    /// The metadata of the region of `extents` at `start`, and its first element's offset in bytes.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<(usize, TensorInfo), InvalidTensor> {
        for count in [start.len(), extents.len()] {
            if count > MAX_DIMENSIONS {
                return Err(InvalidTensor::TooManyDimensions { found: count });
            }
        }
        let (mut offset, mut shape) = (0, self.shape);
        for dimension in 0..MAX_DIMENSIONS {
            let available = self.shape.extent(dimension);
            let from = start.get(dimension).copied().unwrap_or(0);
            let extent = extents.get(dimension).copied().unwrap_or(available.saturating_sub(from));
            if from.checked_add(extent).is_none_or(|end| end > available) {
                return Err(InvalidTensor::Region { dimension, start: from, extent, available });
            }
            offset += from * self.strides[dimension];
            shape = shape.with_extent(dimension, extent);
        }
        let info = TensorInfo::checked(self.element, self.channels, shape, self.strides)?;
        Ok((if shape.is_empty() { 0 } else { offset }, info))
    }

    /// Fails unless elements are of type `T`.
    pub(crate) fn expect<T: Element>(&self) -> Result<(), InvalidTensor> {
        if (self.element, self.channels) == (T::TYPE, T::CHANNELS) {
            return Ok(());
        }
        Err(InvalidTensor::Element {
            found: self.element,
            found_channels: self.channels,
            expected: T::TYPE,
            expected_channels: T::CHANNELS,
        })
    }
}

fn pixel_size(element: ElementType, channels: u32) -> Result<usize, InvalidTensor> {
    match channels {
        1..=4 => Ok(element.size() * channels as usize),
        found => Err(InvalidTensor::Channels { found }),
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementType::*, *};

    #[test]
    fn strides_follow_the_extents() {
        let info = TensorInfo::new(I16, 2, &[5, 3, 2]).unwrap();
        assert_eq!([0, 1, 2, 3].map(|dimension| info.stride(dimension)), [4, 20, 60, 120]);
        assert_eq!(info.size_in_bytes(), 120);
        assert_eq!(info.offset(&[4, 2, 1]), Some(4 * 4 + 2 * 20 + 60));
        assert_eq!(info.offset(&[5, 0]), None);
        assert_eq!(info.shape().to_string(), "5×3×2");
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        let extents = [MAX_EXTENT; 6];
        assert_eq!(TensorInfo::new(U8, 1, &extents), Err(InvalidTensor::TooLarge { dimension: 2 }));
        assert!(TensorInfo::new(U8, 1, &[MAX_EXTENT, MAX_EXTENT]).is_ok());
        assert_eq!(
            TensorInfo::new(U8, 1, &[1, MAX_EXTENT + 1]),
            Err(InvalidTensor::ExtentTooLarge { dimension: 1, found: MAX_EXTENT + 1 })
        );
        assert_eq!(TensorInfo::new(U8, 5, &[1]), Err(InvalidTensor::Channels { found: 5 }));
        assert_eq!(TensorInfo::new(U8, 1, &[1; 7]), Err(InvalidTensor::TooManyDimensions { found: 7 }));
        let far = TensorInfo::with_strides(U8, 1, &[2, 2], &[1, usize::MAX]);
        assert!(matches!(far, Err(InvalidTensor::TooLarge { .. })));
    }

    #[test]
    fn strides_that_overlap_or_misalign_are_refused() {
        let with = |strides: [usize; 2]| TensorInfo::with_strides(I16, 1, &[5, 3], &strides);
        assert_eq!(with([2, 8]), Err(InvalidTensor::StrideTooSmall { dimension: 1, found: 8, least: 10 }));
        assert_eq!(with([2, 11]), Err(InvalidTensor::StrideMisaligned { dimension: 1, found: 11, alignment: 2 }));
        assert_eq!(with([4, 20]), Err(InvalidTensor::RowStride { found: 4, expected: 2 }));
        assert_eq!(with([2, 12]).unwrap().size_in_bytes(), 2 * 12 + 10);
        assert_eq!(
            TensorInfo::with_strides(I16, 1, &[5, 3], &[2]),
            Err(InvalidTensor::StrideCount { found: 1, expected: 2 })
        );
    }

    #[test]
    fn an_empty_tensor_takes_nothing() {
        let info = TensorInfo::new(F32, 1, &[0, 7]).unwrap();
        assert_eq!((info.size_in_bytes(), info.offset(&[0, 0])), (0, None));
    }

    #[test]
    fn a_region_keeps_the_strides() {
        let info = TensorInfo::new(U8, 1, &[10, 8, 2]).unwrap();
        let (offset, region) = info.region(&[3, 2], &[4, 5]).unwrap();
        assert_eq!((offset, region.shape().extents()[..3].to_vec()), (23, vec![4, 5, 2]));
        assert_eq!(region.stride(1), 10);
        assert_eq!(
            info.region(&[8, 0], &[3, 1]),
            Err(InvalidTensor::Region { dimension: 0, start: 8, extent: 3, available: 10 })
        );
        assert!(info.region(&[usize::MAX, 0], &[2, 1]).is_err());
    }
}
