//! What is known of a tensor without its data: element type, channels, shape, strides, padding, layout, valid region.
//!
//! Every arithmetic step is checked here, once: a [`TensorInfo`] that exists can be walked without overflow, and its
//! elements do not overlap. `validate` and `infer` look at nothing else.

mod attributes;
mod error;
mod text;

use crate::{
    element::{Element, ElementType},
    layout::{Axis, DataLayout},
    padding::Padding,
    quantization::Quantization,
    region::ValidRegion,
};

pub use crate::shape::{MAX_DIMENSIONS, MAX_EXTENT, Shape};
pub use error::InvalidTensor;

/// The metadata of a tensor or of a view of one.
///
/// The default is that of no tensor yet: [`TensorInfo::init_if_empty`] fills it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    element: ElementType,
    channels: u32,
    shape: Shape,
    strides: [usize; MAX_DIMENSIONS],
    /// Bytes from the first element to behind the last.
    size: usize,
    /// Bytes from the start of the memory to the first element.
    first: usize,
    /// Bytes of the memory, padding included.
    buffer: usize,
    padding: Around,
    layout: DataLayout,
    quantization: Option<Quantization>,
    valid: Extents,
}

/// Padding in few bytes: a view holds all of this, and runs move views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Around([u32; 4]);

impl Around {
    /// `None` beyond the greatest extent: no tensor is so large.
    fn new(padding: Padding) -> Option<Around> {
        let sides = [padding.left, padding.right, padding.top, padding.bottom];
        sides.iter().all(|&side| side <= MAX_EXTENT).then(|| Around(sides.map(|side| side as u32)))
    }

    fn padding(self) -> Padding {
        let [left, right, top, bottom] = self.0.map(|side| side as usize);
        Padding { left, right, top, bottom }
    }
}

/// A valid region in few bytes: it lies inside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extents {
    start: [u32; MAX_DIMENSIONS],
    end: [u32; MAX_DIMENSIONS],
}

impl Extents {
    fn new(region: &ValidRegion) -> Extents {
        Extents { start: region.start.map(|at| at as u32), end: region.end.map(|at| at as u32) }
    }

    fn region(&self) -> ValidRegion {
        ValidRegion { start: self.start.map(|at| at as usize), end: self.end.map(|at| at as usize) }
    }
}

impl TensorInfo {
    /// A tensor without gaps.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::new(ElementType::U8, 3, &[640, 480])?;
    /// assert_eq!(info.stride(1), 1920);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn new(element: ElementType, channels: u32, extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        let shape = Shape::new(extents)?;
        // Without gaps, each stride is the size of what lies inside: there is nothing else to check.
        let mut inside = pixel_size(element, channels)?;
        let mut strides = [inside; MAX_DIMENSIONS];
        for (dimension, &extent) in extents.iter().enumerate() {
            inside = inside
                .checked_mul(extent.max(1))
                .filter(|&bytes| bytes <= isize::MAX as usize)
                .ok_or(InvalidTensor::TooLarge { dimension })?;
            strides[dimension + 1..].fill(inside);
        }
        Ok(TensorInfo::bare(element, channels, shape, strides, if shape.is_empty() { 0 } else { inside }))
    }

    /// A tensor of elements `T` without gaps.
    pub fn of<T: Element>(extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        TensorInfo::new(T::TYPE, T::CHANNELS, extents)
    }

    /// A tensor without elements.
    pub(crate) fn empty<T: Element>() -> TensorInfo {
        TensorInfo::bare(T::TYPE, T::CHANNELS, Shape::EMPTY, [size_of::<T>(); MAX_DIMENSIONS], 0)
    }

    /// Without padding, in the default layout, valid everywhere.
    fn bare(
        element: ElementType,
        channels: u32,
        shape: Shape,
        strides: [usize; MAX_DIMENSIONS],
        size: usize,
    ) -> TensorInfo {
        TensorInfo {
            element,
            channels,
            shape,
            strides,
            size,
            first: 0,
            buffer: size,
            padding: Around::default(),
            layout: DataLayout::default(),
            quantization: None,
            valid: Extents { start: [0; MAX_DIMENSIONS], end: shape.narrow() },
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
            // A channel's size is a power of two.
            if stride & (element.size() - 1) != 0 {
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
        Ok(TensorInfo::bare(element, channels, shape, strides, if shape.is_empty() { 0 } else { inside }))
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

    /// Bytes from the first element to the plane at `coordinates`, of which the first two are 0; of a dimension of one element, that
    /// one stands for all.
    pub(crate) fn plane_offset(&self, coordinates: &[usize; MAX_DIMENSIONS]) -> usize {
        (2..MAX_DIMENSIONS).map(|d| coordinates[d].min(self.shape.extent(d).saturating_sub(1)) * self.strides[d]).sum()
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
        let offset = if shape.is_empty() { 0 } else { offset };
        let checked = TensorInfo::checked(self.element, self.channels, shape, self.strides)?;
        // What lies around a region are someone else's elements: it has no padding.
        let (first, buffer) = (self.first + offset, self.buffer);
        let valid = Extents::new(&self.valid.region().within(start, shape));
        let (layout, quantization) = (self.layout, self.quantization);
        Ok((offset, TensorInfo { first, buffer, valid, layout, quantization, ..checked }))
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
