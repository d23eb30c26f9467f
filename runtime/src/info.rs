//! What is known of a tensor without its data: its [`Layout`], and what images have beside it: padding, data layout, valid region.
//!
//! Every arithmetic step is checked here, once: a [`TensorInfo`] that exists can be walked without overflow. `validate` and `infer`
//! look at nothing else.

mod attributes;
mod derive;
mod error;

use crate::{
    data_layout::{Axis, DataLayout},
    dtype::DType,
    element::Element,
    layout::Layout,
    padding::Padding,
    quantization::Quantization,
    region::ValidRegion,
};

pub use crate::shape::{Extents, MAX_DIMENSIONS, MAX_EXTENT, Shape};
pub use error::InvalidTensor;

/// The metadata of a tensor or of a view of one: a [`Layout`], and what images have beside it.
///
/// The default is that of no tensor yet: [`TensorInfo::init_if_empty`] fills it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    layout: Layout,
    /// Bytes from the start of the memory to the first element.
    first: usize,
    /// Bytes of the memory, padding included.
    buffer: usize,
    padding: Around,
    valid: Valid,
    quantization: Option<Quantization>,
    data_layout: DataLayout,
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
struct Valid {
    start: [u32; MAX_DIMENSIONS],
    end: [u32; MAX_DIMENSIONS],
}

impl Valid {
    fn new(region: &ValidRegion) -> Valid {
        Valid { start: region.start.map(|at| at as u32), end: region.end.map(|at| at as u32) }
    }

    fn region(&self, rank: usize) -> ValidRegion {
        ValidRegion { start: self.start.map(|at| at as usize), end: self.end.map(|at| at as usize), rank }
    }
}

impl From<Layout> for TensorInfo {
    /// Without padding, valid everywhere.
    #[inline(always)]
    fn from(layout: Layout) -> TensorInfo {
        let mut end = *layout.shape().all();
        end.reverse();
        let (first, buffer) = (layout.lead(), layout.size_in_bytes());
        TensorInfo {
            layout,
            first,
            buffer,
            padding: Around::default(),
            valid: Valid { start: [0; MAX_DIMENSIONS], end },
            quantization: None,
            data_layout: DataLayout::default(),
        }
    }
}

impl TensorInfo {
    /// Returns a tensor without gaps, its extents outermost first.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::new(ElementType::U8, 3, &[480, 640])?;
    /// assert_eq!((info.width(), info.strides()), (640, &[1920, 3][..]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::new`].
    #[inline]
    pub fn new(dtype: impl Into<DType>, channels: u32, extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        Ok(Layout::new(dtype, channels, extents)?.into())
    }

    /// Returns a tensor of elements `T` without gaps, its extents outermost first.
    #[inline]
    pub fn of<T: Element>(extents: &[usize]) -> Result<TensorInfo, InvalidTensor> {
        TensorInfo::new(T::TYPE, T::CHANNELS, extents)
    }

    /// A tensor without elements.
    pub(crate) fn empty<T: Element>() -> TensorInfo {
        Layout::empty::<T>().into()
    }

    /// Returns a tensor whose planes, rows, … are `strides` bytes apart, one stride a dimension, outermost first.
    ///
    /// A stride may be anything: 0 repeats one element, a negative one goes backwards, and elements of a row may lie apart. The
    /// lowest element is then at the start of the memory. What repeats an element can be read and not written.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let info = TensorInfo::with_strides(ElementType::U8, 1, &[480, 640], &[1024, 1])?;
    /// assert_eq!(info.offset(&[2, 3]), Some(2 * 1024 + 3));
    /// let bottom_up = TensorInfo::with_strides(ElementType::U8, 1, &[480, 640], &[-640, 1])?;
    /// assert_eq!((bottom_up.offset(&[2, 3]), bottom_up.first_element()), (Some(3 - 2 * 640), 479 * 640));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::with_strides`].
    pub fn with_strides(
        dtype: impl Into<DType>,
        channels: u32,
        extents: &[usize],
        strides: &[isize],
    ) -> Result<TensorInfo, InvalidTensor> {
        Ok(Layout::with_strides(dtype, channels, extents, strides)?.into())
    }

    /// Returns how the elements lie in memory.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the type of a channel.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.layout.dtype()
    }

    /// Channels of an element.
    #[inline]
    pub fn channels(&self) -> u32 {
        self.layout.lanes()
    }

    /// Returns the extents.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.layout.shape()
    }

    /// Returns the number of elements along a row.
    #[inline]
    pub fn width(&self) -> usize {
        self.layout.inner_extent(0)
    }

    /// Returns the number of rows of a plane.
    #[inline]
    pub fn height(&self) -> usize {
        self.layout.inner_extent(1)
    }

    /// Returns the number of bytes from one element of a dimension to the next, one stride a dimension, outermost
    /// first.
    pub fn strides(&self) -> &[isize] {
        self.layout.strides()
    }

    /// Returns the stride of the dimension that is `dimension` places from the innermost one: 0 is the innermost.
    #[inline]
    pub fn inner_stride(&self, dimension: usize) -> isize {
        self.layout.inner_stride(dimension)
    }

    /// Returns the number of bytes from one row to the next.
    #[inline]
    pub fn row_stride(&self) -> isize {
        self.layout.inner_stride(1)
    }

    /// Returns the number of bytes of an element with all its channels.
    #[inline]
    pub fn pixel_size(&self) -> usize {
        self.layout.element_size()
    }

    /// Returns the number of bytes from the lowest to behind the highest that an element takes, gaps included.
    #[inline]
    pub fn size_in_bytes(&self) -> usize {
        self.layout.size_in_bytes()
    }

    /// Returns the number of bytes from the first element to the one at `coordinates`, outermost first; `None` outside.
    ///
    /// The last coordinate is that of the last dimension, however many there are: missing ones are 0.
    #[inline]
    pub fn offset(&self, coordinates: &[usize]) -> Option<isize> {
        self.layout.offset(coordinates)
    }

    /// Returns the number of bytes from the first element to the one at these coordinates, innermost first; `None`
    /// outside.
    pub fn inner_offset(&self, at: &[usize; MAX_DIMENSIONS]) -> Option<isize> {
        let mut coordinates = *at;
        coordinates.reverse();
        self.offset(&coordinates)
    }

    /// Bytes from the first element to the plane at these coordinates, innermost first, of which the first two count as 0; of a
    /// dimension of one element, that one is every coordinate's.
    #[inline]
    pub(crate) fn plane_offset(&self, at: &[usize; MAX_DIMENSIONS]) -> isize {
        if at[2..] == [0; MAX_DIMENSIONS - 2] {
            return 0;
        }
        let place = |d: usize| at[d].min(self.layout.inner_extent(d).saturating_sub(1)) as isize;
        (2..MAX_DIMENSIONS).map(|d| place(d) * self.inner_stride(d)).sum()
    }

    /// The plane there, and its first element's offset in bytes.
    pub(crate) fn plane(&self, at: &[usize; MAX_DIMENSIONS]) -> Result<(isize, TensorInfo), InvalidTensor> {
        let along = |d: usize| at[d].min(self.layout.inner_extent(d).saturating_sub(1));
        let start = core::array::from_fn(|d| if d + 2 < MAX_DIMENSIONS { along(MAX_DIMENSIONS - 1 - d) } else { 0 });
        let start: [usize; MAX_DIMENSIONS] = start;
        self.region(&start, &[1, 1, 1, 1, self.height(), self.width()])
    }

    /// Returns the metadata of the region of `extents` at `start`, outermost first, and its first element's offset in
    /// bytes.
    ///
    /// The last numbers are those of the last dimension: along those that are missing, the region is the whole tensor.
    ///
    /// # Errors
    /// A region that leaves the tensor.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<(isize, TensorInfo), InvalidTensor> {
        let (offset, layout) = self.layout.region(start, extents)?;
        let first = core::array::from_fn(|inner| start.iter().rev().nth(inner).copied().unwrap_or(0));
        let valid = self.valid_region().within(&first, layout.shape());
        Ok((offset, self.elsewhere(offset, layout, &valid)))
    }

    /// Another layout of some of these elements, the first of which is `offset` bytes further on.
    ///
    /// What lies around them are someone else's elements: there is no padding.
    pub(crate) fn elsewhere(&self, offset: isize, layout: Layout, valid: &ValidRegion) -> TensorInfo {
        // The elements are among this tensor's, whose memory they lie in; where there is none, the place says nothing.
        let first = if layout.is_empty() { self.first } else { self.first.wrapping_add_signed(offset) };
        let valid = Valid::new(valid);
        TensorInfo { layout, first, valid, padding: Around::default(), ..*self }
    }

    /// Returns whether elements are of the same type, and as many in each dimension.
    pub fn is_like(&self, other: &TensorInfo) -> bool {
        (self.dtype(), self.channels()) == (other.dtype(), other.channels())
            && self.shape().same_extents(&other.shape())
    }

    /// Whether elements are of this type and stand for themselves: what kernels compute with.
    #[inline]
    pub(crate) fn is_plain(&self, dtype: DType, channels: u32) -> bool {
        self.dtype() == dtype && self.channels() == channels && self.quantization.is_none()
    }

    /// Fails unless elements are of type `T`.
    pub(crate) fn expect<T: Element>(&self) -> Result<(), InvalidTensor> {
        if self.dtype() == T::TYPE && self.channels() == T::CHANNELS {
            return Ok(());
        }
        Err(InvalidTensor::Element {
            found: self.dtype(),
            found_channels: self.channels(),
            expected: T::TYPE,
            expected_channels: T::CHANNELS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

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
        let far = TensorInfo::with_strides(U8, 1, &[2, 2], &[isize::MAX, 1]);
        assert!(matches!(far, Err(InvalidTensor::TooLarge { .. })));
    }

    #[test]
    fn strides_that_misalign_are_refused_and_those_that_overlap_not_written() {
        let with = |strides: [isize; 2]| TensorInfo::with_strides(I16, 1, &[3, 5], &strides);
        let disjoint = |strides| with(strides).and_then(|info| info.layout().expect_disjoint());
        assert_eq!(disjoint([8, 2]), Err(InvalidTensor::Overlap { dimension: 0, found: 8, least: 10 }));
        assert_eq!(disjoint([0, 2]), Err(InvalidTensor::Overlap { dimension: 0, found: 0, least: 2 }));
        assert_eq!(disjoint([-8, 2]), Err(InvalidTensor::Overlap { dimension: 0, found: -8, least: 10 }));
        assert_eq!([disjoint([-10, 2]), disjoint([20, 4]), disjoint([2, 6]), disjoint([2, -6])], [Ok(()); 4]);
        assert_eq!(with([11, 2]), Err(InvalidTensor::StrideMisaligned { dimension: 0, found: 11, alignment: 2 }));
        assert_eq!(with([12, 2]).unwrap().size_in_bytes(), 2 * 12 + 10);
        assert_eq!(with([-12, 4]).unwrap().size_in_bytes(), 2 * 12 + 4 * 4 + 2);
        assert_eq!(with([-12, 4]).unwrap().first_element(), 24);
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
        assert_eq!((offset, region.shape()), (23, Shape::new(&[2, 5, 4]).unwrap()));
        assert_eq!(region.row_stride(), 10);
        assert_eq!(
            info.region(&[0, 8], &[1, 3]),
            Err(InvalidTensor::Region { dimension: 2, start: 8, extent: 3, available: 10 })
        );
        assert!(info.region(&[usize::MAX, 0], &[2, 1]).is_err());
    }
}
