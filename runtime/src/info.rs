//! What is known of a tensor without its data: element type, channels, shape, strides, padding, layout, valid region.
//!
//! Every arithmetic step is checked here, once: a [`TensorInfo`] that exists can be walked without overflow, and its
//! elements do not overlap. `validate` and `infer` look at nothing else.

mod attributes;
mod error;

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
    /// Outermost first, aligned at the end as the shape's extents are.
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

/// A valid region in few bytes, innermost dimension first: it lies inside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extents {
    start: [u32; MAX_DIMENSIONS],
    end: [u32; MAX_DIMENSIONS],
}

impl Extents {
    fn new(region: &ValidRegion) -> Extents {
        Extents { start: region.start.map(|at| at as u32), end: region.end.map(|at| at as u32) }
    }

    fn region(&self, rank: usize) -> ValidRegion {
        ValidRegion { start: self.start.map(|at| at as usize), end: self.end.map(|at| at as usize), rank }
    }
}

impl TensorInfo {
    /// A tensor without gaps, its extents outermost first.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::new(ElementType::U8, 3, &[480, 640])?;
    /// assert_eq!((info.width(), info.strides()), (640, &[1920, 3][..]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn new(element: ElementType, channels: u32, extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        let shape = Shape::new(extents)?;
        // Without gaps, each stride is the size of what lies inside: there is nothing else to check.
        let mut inside = pixel_size(element, channels)?;
        let mut strides = [inside; MAX_DIMENSIONS];
        for (dimension, &extent) in extents.iter().enumerate().rev() {
            inside = inside
                .checked_mul(extent.max(1))
                .filter(|&bytes| bytes <= isize::MAX as usize)
                .ok_or(InvalidTensor::TooLarge { dimension })?;
            strides[..MAX_DIMENSIONS - extents.len() + dimension].fill(inside);
        }
        Ok(TensorInfo::bare(element, channels, shape, strides, if shape.is_empty() { 0 } else { inside }))
    }

    /// A tensor of elements `T` without gaps, its extents outermost first.
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
            valid: Extents { start: [0; MAX_DIMENSIONS], end: shape.inner_extents().map(|extent| extent as u32) },
        }
    }

    /// A tensor whose planes, rows, … are `strides` bytes apart, one stride a dimension, outermost first.
    ///
    /// Elements of a row lie side by side, and nothing overlaps.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::with_strides(ElementType::U8, 1, &[480, 640], &[1024, 1])?;
    /// assert_eq!(info.offset(&[2, 3]), Some(2 * 1024 + 3));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
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
        let mut inner = [pixel_size(element, channels)?; MAX_DIMENSIONS];
        inner.iter_mut().zip(strides.iter().rev()).for_each(|(inner, &stride)| *inner = stride);
        TensorInfo::checked(element, channels, shape, inner)
    }

    /// A tensor of these strides, innermost first.
    pub(crate) fn checked(
        element: ElementType,
        channels: u32,
        shape: Shape,
        mut strides: [usize; MAX_DIMENSIONS],
    ) -> Result<TensorInfo, InvalidTensor> {
        let pixel = pixel_size(element, channels)?;
        if strides[0] != pixel {
            return Err(InvalidTensor::RowStride { found: strides[0], expected: pixel });
        }
        // Dimensions that there are not: what lies inside them, so that equal tensors have equal metadata.
        for inner in shape.rank().max(1)..MAX_DIMENSIONS {
            strides[inner] = strides[inner - 1].saturating_mul(shape.inner_extent(inner - 1).max(1));
        }
        let mut inside = pixel;
        for (inner, &stride) in strides.iter().enumerate().take(shape.rank()) {
            let dimension = shape.outer_index(inner);
            // A channel's size is a power of two.
            if stride & (element.size() - 1) != 0 {
                return Err(InvalidTensor::StrideMisaligned { dimension, found: stride, alignment: element.size() });
            }
            if stride < inside {
                return Err(InvalidTensor::StrideTooSmall { dimension, found: stride, least: inside });
            }
            inside = (shape.inner_extent(inner).max(1) - 1)
                .checked_mul(stride)
                .and_then(|bytes| bytes.checked_add(inside))
                .filter(|&bytes| bytes <= isize::MAX as usize)
                .ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        strides.reverse();
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

    /// Bytes from one element of a dimension to the next, one stride a dimension, outermost first.
    pub fn strides(&self) -> &[usize] {
        &self.strides[MAX_DIMENSIONS - self.shape.rank()..]
    }

    /// The stride of the dimension that is `dimension` places from the innermost one: 0 is the innermost.
    #[inline]
    pub fn inner_stride(&self, dimension: usize) -> usize {
        if dimension < MAX_DIMENSIONS { self.strides[MAX_DIMENSIONS - 1 - dimension] } else { self.size }
    }

    /// All strides, innermost first; those of dimensions that there are not hold what lies inside.
    pub(crate) fn inner_strides(&self) -> [usize; MAX_DIMENSIONS] {
        let mut strides = self.strides;
        strides.reverse();
        strides
    }

    /// Bytes from one row to the next.
    pub fn row_stride(&self) -> usize {
        self.strides[MAX_DIMENSIONS - 2]
    }

    /// Bytes of an element with all its channels.
    pub fn pixel_size(&self) -> usize {
        self.strides[MAX_DIMENSIONS - 1]
    }

    /// Bytes from the first element to behind the last, gaps included.
    pub fn size_in_bytes(&self) -> usize {
        self.size
    }

    /// Bytes from the first element to the one at `coordinates`, outermost first; `None` outside.
    ///
    /// The last coordinate is that of the last dimension, however many there are: missing ones are 0.
    pub fn offset(&self, coordinates: &[usize]) -> Option<usize> {
        if coordinates.len() > MAX_DIMENSIONS || self.shape.is_empty() {
            return None;
        }
        coordinates.iter().rev().enumerate().try_fold(0, |offset, (inner, &at)| {
            (at < self.shape.inner_extent(inner)).then(|| offset + at * self.inner_stride(inner))
        })
    }

    /// Bytes from the first element to the one at these coordinates, innermost first; `None` outside.
    pub fn inner_offset(&self, at: &[usize; MAX_DIMENSIONS]) -> Option<usize> {
        let mut coordinates = *at;
        coordinates.reverse();
        self.offset(&coordinates)
    }

    /// Bytes from the first element to the plane at these coordinates, innermost first, of which the first two count as 0; of a
    /// dimension of one element, that one is every coordinate's.
    pub(crate) fn plane_offset(&self, at: &[usize; MAX_DIMENSIONS]) -> usize {
        let along = |d: usize| at[d].min(self.shape.inner_extent(d).saturating_sub(1)) * self.inner_stride(d);
        (2..MAX_DIMENSIONS).map(along).sum()
    }

    /// The plane there, and its first element's offset in bytes.
    pub(crate) fn plane(&self, at: &[usize; MAX_DIMENSIONS]) -> Result<(usize, TensorInfo), InvalidTensor> {
        let along = |d: usize| at[d].min(self.shape.inner_extent(d).saturating_sub(1));
        let start = core::array::from_fn(|d| if d + 2 < MAX_DIMENSIONS { along(MAX_DIMENSIONS - 1 - d) } else { 0 });
        let start: [usize; MAX_DIMENSIONS] = start;
        self.region(&start, &[1, 1, 1, 1, self.height(), self.width()])
    }

    /// The metadata of the region of `extents` at `start`, outermost first, and its first element's offset in bytes.
    ///
    /// The last numbers are those of the last dimension: along those that are missing, the region is the whole tensor.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<(usize, TensorInfo), InvalidTensor> {
        for count in [start.len(), extents.len()] {
            if count > MAX_DIMENSIONS {
                return Err(InvalidTensor::TooManyDimensions { found: count });
            }
        }
        let (mut offset, mut shape, mut first) = (0, self.shape, [0; MAX_DIMENSIONS]);
        for (inner, first) in first.iter_mut().enumerate() {
            let available = self.shape.inner_extent(inner);
            let from = start.iter().rev().nth(inner).copied().unwrap_or(0);
            let extent = extents.iter().rev().nth(inner).copied().unwrap_or(available.saturating_sub(from));
            if from.checked_add(extent).is_none_or(|end| end > available) {
                let dimension = self.shape.outer_index(inner);
                return Err(InvalidTensor::Region { dimension, start: from, extent, available });
            }
            offset += from * self.inner_stride(inner);
            *first = from;
            shape = shape.with_inner_extent(inner, extent);
        }
        let offset = if shape.is_empty() { 0 } else { offset };
        let checked = TensorInfo::checked(self.element, self.channels, shape, self.inner_strides())?;
        // What lies around a region are someone else's elements: it has no padding.
        let valid = Extents::new(&self.valid_region().within(&first, shape));
        let (first, buffer) = (self.first + offset, self.buffer);
        let (layout, quantization) = (self.layout, self.quantization);
        Ok((offset, TensorInfo { first, buffer, valid, layout, quantization, ..checked }))
    }

    /// Whether elements are of the same type, and as many in each dimension.
    pub fn is_like(&self, other: &TensorInfo) -> bool {
        (self.element, self.channels) == (other.element, other.channels) && self.shape.same_extents(&other.shape)
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
        let info = TensorInfo::new(I16, 2, &[2, 3, 5]).unwrap();
        assert_eq!(info.strides(), [60, 20, 4]);
        assert_eq!([0, 1, 2, 3].map(|dimension| info.inner_stride(dimension)), [4, 20, 60, 120]);
        assert_eq!(info.size_in_bytes(), 120);
        assert_eq!(info.offset(&[1, 2, 4]), Some(4 * 4 + 2 * 20 + 60));
        assert_eq!(info.offset(&[2, 4]), Some(4 * 4 + 2 * 20));
        assert_eq!(info.offset(&[0, 5]), None);
        assert_eq!(info.shape().to_string(), "2×3×5");
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        let extents = [MAX_EXTENT; 6];
        assert_eq!(TensorInfo::new(U8, 1, &extents), Err(InvalidTensor::TooLarge { dimension: 3 }));
        assert!(TensorInfo::new(U8, 1, &[MAX_EXTENT, MAX_EXTENT]).is_ok());
        assert_eq!(
            TensorInfo::new(U8, 1, &[1, MAX_EXTENT + 1]),
            Err(InvalidTensor::ExtentTooLarge { dimension: 1, found: MAX_EXTENT + 1 })
        );
        assert_eq!(TensorInfo::new(U8, 5, &[1]), Err(InvalidTensor::Channels { found: 5 }));
        assert_eq!(TensorInfo::new(U8, 1, &[1; 7]), Err(InvalidTensor::TooManyDimensions { found: 7 }));
        let far = TensorInfo::with_strides(U8, 1, &[2, 2], &[usize::MAX, 1]);
        assert!(matches!(far, Err(InvalidTensor::TooLarge { .. })));
    }

    #[test]
    fn strides_that_overlap_or_misalign_are_refused() {
        let with = |strides: [usize; 2]| TensorInfo::with_strides(I16, 1, &[3, 5], &strides);
        assert_eq!(with([8, 2]), Err(InvalidTensor::StrideTooSmall { dimension: 0, found: 8, least: 10 }));
        assert_eq!(with([11, 2]), Err(InvalidTensor::StrideMisaligned { dimension: 0, found: 11, alignment: 2 }));
        assert_eq!(with([20, 4]), Err(InvalidTensor::RowStride { found: 4, expected: 2 }));
        assert_eq!(with([12, 2]).unwrap().size_in_bytes(), 2 * 12 + 10);
        assert_eq!(
            TensorInfo::with_strides(I16, 1, &[3, 5], &[2]),
            Err(InvalidTensor::StrideCount { found: 1, expected: 2 })
        );
    }

    #[test]
    fn an_empty_tensor_takes_nothing() {
        let info = TensorInfo::new(F32, 1, &[7, 0]).unwrap();
        assert_eq!((info.size_in_bytes(), info.offset(&[0, 0])), (0, None));
    }

    #[test]
    fn a_region_keeps_the_strides() {
        let info = TensorInfo::new(U8, 1, &[2, 8, 10]).unwrap();
        let (offset, region) = info.region(&[2, 3], &[5, 4]).unwrap();
        assert_eq!((offset, region.shape().extents()), (23, &[2, 5, 4][..]));
        assert_eq!(region.row_stride(), 10);
        assert_eq!(
            info.region(&[0, 8], &[1, 3]),
            Err(InvalidTensor::Region { dimension: 2, start: 8, extent: 3, available: 10 })
        );
        assert!(info.region(&[usize::MAX, 0], &[2, 1]).is_err());
    }
}
