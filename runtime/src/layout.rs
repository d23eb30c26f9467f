//! How the elements of a tensor lie in memory: their type, their extents, and the bytes from one to the next.
//!
//! A [`Layout`] is what NumPy, ONNX and DLPack mean by an array without its data: extents and strides outermost first, any rank
//! up to six, strides of any sign. A stride of 0 repeats one element, a negative one goes backwards. Every number that a layout
//! can lead to is checked when it is made: all that follows is plain arithmetic.

mod derive;
#[cfg(test)]
mod tests;

use core::{
    fmt::{Display, Formatter, Result as Written},
    ops::Range,
};

use crate::{
    dtype::DType,
    element::Element,
    info::InvalidTensor,
    shape::{MAX_DIMENSIONS, MAX_EXTENT, Shape},
};

pub use crate::limits::MAX_LANES;

/// The type and the places of a tensor's elements, counted in bytes from the first one: that whose coordinates are all 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Outermost first, aligned at the end as the shape's extents are; those of dimensions that there are not are what lies
    /// inside, so that equal layouts are equal throughout.
    strides: [isize; MAX_DIMENSIONS],
    /// Bytes from the lowest to behind the highest that an element takes.
    size: usize,
    shape: Shape,
    dtype: DType,
    lanes: u8,
    /// Bytes of an element.
    element: u8,
    /// What runs ask of each layout, worked out once.
    flags: u8,
}

/// Some element lies before the first one.
const GOES_BACK: u8 = 1;

/// Two elements may share a byte.
const OVERLAPS: u8 = 2;

/// Elements of each row lie side by side.
const HAS_CONTIGUOUS_ROWS: u8 = 4;

impl Layout {
    /// Returns the layout of elements side by side, the last dimension's closest together.
    ///
    /// An element is `lanes` numbers side by side: a pixel's channels.
    ///
    /// ```
    /// use windrow::tensor::{DType, Layout};
    ///
    /// let rgb = Layout::new(DType::U8, 3, &[480, 640])?;
    /// assert_eq!((rgb.element_size(), rgb.strides(), rgb.is_contiguous()), (3, &[1920, 3][..], true));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// More than six dimensions, an extent above 2³⁰, no lane or more than four, or more bytes than `isize` counts.
    #[inline]
    pub fn new(dtype: impl Into<DType>, lanes: u32, extents: &[usize]) -> Result<Layout, InvalidTensor> {
        let dtype = dtype.into();
        Layout::dense(dtype, lanes, extents).ok_or_else(|| not_dense(dtype, lanes, extents))
    }

    /// The same; `None` where it is refused. In one pass and in place: to make its views is a good part of a small image's run.
    #[inline(always)]
    fn dense(dtype: DType, lanes: u32, extents: &[usize]) -> Option<Layout> {
        let lacking = MAX_DIMENSIONS.checked_sub(extents.len())?;
        let element = dtype.size() * lanes as usize;
        let mut fits = (1..=MAX_LANES).contains(&lanes);
        let (mut strides, mut all, mut inside) = ([0; MAX_DIMENSIONS], [1; MAX_DIMENSIONS], element);
        for place in (0..MAX_DIMENSIONS).rev() {
            // Without gaps, each stride is the size of what lies inside: there is nothing else to check.
            strides[place] = inside as isize;
            if place >= lacking {
                let extent = extents[place - lacking];
                let (bytes, wraps) = inside.overflowing_mul(extent.max(1));
                fits &= !wraps & (bytes <= isize::MAX as usize) & (extent <= MAX_EXTENT);
                (all[place], inside) = (extent as u32, bytes);
            }
        }
        let shape = Shape::of_parts(all, extents.len());
        let size = if shape.is_empty() { 0 } else { inside };
        fits.then(|| Layout::of_parts(dtype, lanes, shape, strides, size))
    }

    /// A layout whose parts have been checked: elements after the first that do not overlap, side by side in each row.
    #[inline(always)]
    fn of_parts(dtype: DType, lanes: u32, shape: Shape, strides: [isize; MAX_DIMENSIONS], size: usize) -> Layout {
        let element = (dtype.size() * lanes as usize) as u8;
        Layout { strides, size, shape, dtype, lanes: lanes as u8, element, flags: HAS_CONTIGUOUS_ROWS }
    }

    /// Returns the layout of elements `strides` bytes apart, one stride a dimension, outermost first.
    ///
    /// ```
    /// use windrow::tensor::{DType, Layout};
    ///
    /// // A bottom-up image: row 0 is the last in memory.
    /// let bitmap = Layout::with_strides(DType::U8, 1, &[480, 640], &[-640, 1])?;
    /// assert_eq!(bitmap.span(), -479 * 640..640);
    /// assert_eq!(bitmap.offset(&[1, 2]), Some(-638));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::new`]; another number of strides than of dimensions, or a stride that is not a multiple of the type's size.
    pub fn with_strides(
        dtype: impl Into<DType>,
        lanes: u32,
        extents: &[usize],
        strides: &[isize],
    ) -> Result<Layout, InvalidTensor> {
        if strides.len() != extents.len() {
            return Err(InvalidTensor::StrideCount { found: strides.len(), expected: extents.len() });
        }
        let shape = Shape::new(extents)?;
        let mut all = [0; MAX_DIMENSIONS];
        all[MAX_DIMENSIONS - strides.len()..].copy_from_slice(strides);
        Layout::checked(dtype.into(), lanes, shape, all)
    }

    /// The layout of these strides, outermost first and aligned at the end; those of dimensions that there are not are filled in.
    pub(crate) fn checked(
        dtype: DType,
        lanes: u32,
        shape: Shape,
        mut strides: [isize; MAX_DIMENSIONS],
    ) -> Result<Layout, InvalidTensor> {
        let element = element_size(dtype, lanes)?;
        for place in (0..MAX_DIMENSIONS - shape.rank()).rev() {
            strides[place] = match strides.get(place + 1) {
                Some(inner) => {
                    let extent = shape.inner_extent(MAX_DIMENSIONS - 2 - place).max(1);
                    inner.saturating_abs().saturating_mul(extent as isize)
                }
                None => element as isize,
            };
        }
        let (mut size, mut goes_back) = (element as isize, false);
        for inner in 0..shape.rank() {
            let (extent, found) = (shape.inner_extent(inner), strides[MAX_DIMENSIONS - 1 - inner]);
            let dimension = shape.outer_index(inner);
            // A number's size is a power of two.
            if found & (dtype.size() as isize - 1) != 0 {
                return Err(InvalidTensor::StrideMisaligned { dimension, found, alignment: dtype.size() });
            }
            let far = (extent.max(1) as isize - 1).checked_mul(found).and_then(isize::checked_abs);
            size = far.and_then(|far| size.checked_add(far)).ok_or(InvalidTensor::TooLarge { dimension })?;
            goes_back |= found < 0 && extent > 1;
        }
        let is_empty = shape.is_empty();
        let size = if is_empty { 0 } else { size as usize };
        let layout = Layout::of_parts(dtype, lanes, shape, strides, size);
        let is_dense = strides[MAX_DIMENSIONS - 1] == element as isize || shape.width() <= 1;
        let flag = |flag: u8, holds: bool| if holds { flag } else { 0 };
        let flags = flag(GOES_BACK, goes_back && !is_empty)
            | flag(OVERLAPS, layout.find_overlap().is_some())
            | flag(HAS_CONTIGUOUS_ROWS, is_dense);
        Ok(Layout { flags, ..layout })
    }

    /// The layout of no element.
    pub(crate) fn empty<T: Element>() -> Layout {
        let strides = [size_of::<T>() as isize; MAX_DIMENSIONS];
        Layout::of_parts(T::TYPE, T::CHANNELS, Shape::EMPTY, strides, 0)
    }

    /// Returns the type of a lane.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns how many numbers make an element.
    #[inline]
    pub fn lanes(&self) -> u32 {
        u32::from(self.lanes)
    }

    /// Returns the extents.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of bytes from one element of a dimension to the next, outermost first.
    pub fn strides(&self) -> &[isize] {
        &self.strides[MAX_DIMENSIONS - self.shape.rank()..]
    }

    /// Returns the extent of the dimension that is `dimension` places from the innermost one: 0 is the innermost.
    #[inline]
    pub fn inner_extent(&self, dimension: usize) -> usize {
        self.shape.inner_extent(dimension)
    }

    /// Returns the stride of the dimension that is `dimension` places from the innermost one; that of a dimension that
    /// there is not is the size of what lies inside.
    #[inline]
    pub fn inner_stride(&self, dimension: usize) -> isize {
        if dimension < MAX_DIMENSIONS { self.strides[MAX_DIMENSIONS - 1 - dimension] } else { self.size as isize }
    }

    /// All strides, outermost first, aligned at the end.
    pub(crate) fn all_strides(&self) -> [isize; MAX_DIMENSIONS] {
        self.strides
    }

    /// Returns the number of bytes of an element, with all its lanes.
    #[inline]
    pub fn element_size(&self) -> usize {
        usize::from(self.element)
    }

    /// Returns whether there is no element.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.shape.is_empty()
    }

    /// Bytes from the lowest that an element takes to the first element: 0 unless a stride is negative.
    #[inline]
    pub(crate) fn lead(&self) -> usize {
        if self.flags & GOES_BACK != 0 { self.lead_of_strides() } else { 0 }
    }

    fn lead_of_strides(&self) -> usize {
        let back = |inner: usize| (self.inner_extent(inner) - 1) * self.inner_stride(inner).min(0).unsigned_abs();
        (0..self.shape.rank()).map(back).sum()
    }

    /// Returns the bytes among which the elements lie, counted from the first element; `0..0` where there is none.
    pub fn span(&self) -> Range<isize> {
        let lead = self.lead() as isize;
        -lead..self.size as isize - lead
    }

    /// Returns the number of bytes from the lowest to behind the highest that an element takes, gaps included.
    #[inline]
    pub fn size_in_bytes(&self) -> usize {
        self.size
    }

    /// Returns whether the elements lie side by side in the order of their coordinates: nothing between them, and
    /// nothing repeated.
    pub fn is_contiguous(&self) -> bool {
        let mut inside = self.element_size() as isize;
        self.is_empty()
            || (0..self.shape.rank()).all(|inner| {
                let (extent, stride) = (self.inner_extent(inner), self.inner_stride(inner));
                let fits = extent == 1 || stride == inside;
                inside *= extent as isize;
                fits
            })
    }

    /// Returns whether the elements of each row lie side by side.
    #[inline]
    pub fn has_contiguous_rows(&self) -> bool {
        self.flags & HAS_CONTIGUOUS_ROWS != 0
    }

    /// Returns the number of bytes from the first element to the one at `coordinates`, outermost first; `None` outside.
    ///
    /// The last coordinate is that of the last dimension, however many there are: missing ones are 0.
    #[inline]
    pub fn offset(&self, coordinates: &[usize]) -> Option<isize> {
        if coordinates.len() > MAX_DIMENSIONS || self.is_empty() {
            return None;
        }
        coordinates.iter().rev().enumerate().try_fold(0, |offset, (inner, &at)| {
            (at < self.inner_extent(inner)).then(|| offset + at as isize * self.inner_stride(inner))
        })
    }

    /// Returns whether two elements may share a byte, so that the layout can't be written to.
    ///
    /// The answer is `false` where each dimension steps over all that lies inside it, in some order of the dimensions; layouts
    /// that interleave in another way are taken for overlapping.
    ///
    /// ```
    /// use windrow::tensor::{DType, Layout};
    ///
    /// let row = Layout::new(DType::F32, 1, &[5])?;
    /// assert!(!row.may_overlap_itself() && row.broadcast_to(&[3, 5])?.may_overlap_itself());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    #[inline]
    pub fn may_overlap_itself(&self) -> bool {
        self.flags & OVERLAPS != 0
    }

    /// Checks that the layout can be written to: that no two elements share a byte.
    ///
    /// # Errors
    /// A dimension whose stride is less than what lies inside it.
    pub fn expect_disjoint(&self) -> Result<(), InvalidTensor> {
        match if self.may_overlap_itself() { self.find_overlap() } else { None } {
            Some((dimension, found, least)) => Err(InvalidTensor::Overlap { dimension, found, least }),
            None => Ok(()),
        }
    }

    /// A dimension whose stride is less than what lies inside it, with that stride and the bytes inside.
    pub(crate) fn find_overlap(&self) -> Option<(usize, isize, usize)> {
        // Along one element there is no step.
        let step = |inner: usize| (self.inner_extent(inner) > 1).then(|| self.inner_stride(inner).unsigned_abs());
        let overlap = |order: [usize; MAX_DIMENSIONS]| {
            let mut inside = self.element_size();
            order.into_iter().find_map(|inner| {
                let (stride, least) = (step(inner)?, inside);
                // In range, as the size is.
                inside += (self.inner_extent(inner) - 1) * stride;
                (stride < least).then_some((self.shape.outer_index(inner), self.inner_stride(inner), least))
            })
        };
        let mut order: [usize; MAX_DIMENSIONS] = core::array::from_fn(|inner| inner);
        if self.is_empty() || overlap(order).is_none() {
            return None;
        }
        order.sort_unstable_by_key(|&inner| step(inner));
        overlap(order)
    }
}

/// Why elements side by side have no layout: the first thing that is wrong.
#[cold]
fn not_dense(dtype: DType, lanes: u32, extents: &[usize]) -> InvalidTensor {
    let element = match Shape::new(extents).and_then(|_| element_size(dtype, lanes)) {
        Ok(element) => element,
        Err(error) => return error,
    };
    let mut inside = Some(element);
    let fits = |bytes: &usize| *bytes <= isize::MAX as usize;
    let mut grows_too_far = |extent: usize| {
        inside = inside.and_then(|inside| inside.checked_mul(extent.max(1))).filter(fits);
        inside.is_none()
    };
    InvalidTensor::TooLarge { dimension: extents.iter().rposition(|&extent| grows_too_far(extent)).unwrap_or(0) }
}

/// The bytes of an element.
#[inline]
fn element_size(dtype: DType, lanes: u32) -> Result<usize, InvalidTensor> {
    match lanes {
        1..=MAX_LANES => Ok(dtype.size() * lanes as usize),
        found => Err(InvalidTensor::Channels { found }),
    }
}

/// The type, the lanes where there are several, the extents, and the strides where there are gaps: `u8×3 480×640, strides 2048 3`.
impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}", self.dtype)?;
        if self.lanes > 1 {
            write!(f, "×{}", self.lanes)?;
        }
        write!(f, " {}", self.shape)?;
        if self.is_contiguous() {
            return Ok(());
        }
        f.write_str(", strides")?;
        self.strides().iter().try_for_each(|stride| write!(f, " {stride}"))
    }
}
