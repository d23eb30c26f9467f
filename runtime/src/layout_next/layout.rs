//! How the elements of a tensor lie in memory: their type, their extents, and the bytes from one to the next.
//!
//! A [`Layout`] is what NumPy, ONNX and DLPack mean by an array without its data: extents and strides outermost first, any rank
//! up to six, strides of any sign. A stride of 0 repeats one element, a negative one goes backwards. Every number that a layout
//! can lead to is checked when it is made: all that follows is plain arithmetic.

mod dlpack;
#[cfg(test)]
mod tests;

use core::fmt::{Display, Formatter, Result as Written};

use crate::{
    dtype::DType,
    info::InvalidTensor,
    shape::{MAX_DIMENSIONS, Shape},
};

pub use dlpack::{DlpackError, DlpackType};

/// The greatest number of lanes of an element.
pub const MAX_LANES: u32 = 4;

/// The type and the places of a tensor's elements, counted in bytes from the first one: that whose coordinates are all 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    dtype: DType,
    lanes: u8,
    shape: Shape,
    /// Outermost first, aligned at the end as the shape's extents are.
    strides: [isize; MAX_DIMENSIONS],
    /// The bytes that elements take, the lowest and behind the highest.
    low: isize,
    high: isize,
}

impl Layout {
    /// The layout of elements side by side, the last dimension's closest together.
    ///
    /// An element is `lanes` numbers side by side: a pixel's channels.
    ///
    /// ```
    /// use lay::{DType, Layout};
    ///
    /// let rgb = Layout::new(DType::U8, 3, &[480, 640])?;
    /// assert_eq!((rgb.element_size(), rgb.strides(), rgb.is_contiguous()), (3, &[1920, 3][..], true));
    /// # Ok::<(), windrow_runtime::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// More than six dimensions, an extent above 2³⁰, no lane or more than four, or more bytes than `isize` counts.
    pub fn new(dtype: DType, lanes: u32, extents: &[usize]) -> Result<Layout, InvalidTensor> {
        let shape = Shape::new(extents)?;
        let mut inside = element_size(dtype, lanes)?;
        let mut strides = [inside; MAX_DIMENSIONS];
        for (dimension, &extent) in extents.iter().enumerate().rev() {
            inside = inside.checked_mul(extent.max(1) as isize).ok_or(InvalidTensor::TooLarge { dimension })?;
            strides[..MAX_DIMENSIONS - extents.len() + dimension].fill(inside);
        }
        let high = if shape.is_empty() { 0 } else { inside };
        Ok(Layout { dtype, lanes: lanes as u8, shape, strides, low: 0, high })
    }

    /// The layout of elements `strides` bytes apart, one stride a dimension, outermost first.
    ///
    /// ```
    /// use lay::{DType, Layout};
    ///
    /// // A bottom-up image: row 0 is the last in memory.
    /// let bitmap = Layout::with_strides(DType::U8, 1, &[480, 640], &[-640, 1])?;
    /// assert_eq!(bitmap.span(), -479 * 640..640);
    /// assert_eq!(bitmap.offset(&[1, 2]), Some(-638));
    /// # Ok::<(), windrow_runtime::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::new`]; another number of strides than of dimensions, or a stride that is not a multiple of the type's size.
    pub fn with_strides(
        dtype: DType,
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
        Layout::checked(dtype, lanes, shape, all)
    }

    /// The layout of these strides, outermost first and aligned at the end; those of dimensions that there are not are filled in.
    fn checked(
        dtype: DType,
        lanes: u32,
        shape: Shape,
        mut strides: [isize; MAX_DIMENSIONS],
    ) -> Result<Layout, InvalidTensor> {
        let size = element_size(dtype, lanes)?;
        let lacking = MAX_DIMENSIONS - shape.rank();
        let (mut low, mut high) = (0isize, size);
        for (dimension, (&extent, &stride)) in shape.extents().iter().zip(&strides[lacking..]).enumerate() {
            if stride % dtype.size() as isize != 0 {
                let (found, alignment) = (stride, dtype.size());
                return Err(InvalidTensor::StrideMisaligned { dimension, found, alignment });
            }
            let far = (extent.max(1) as isize - 1).checked_mul(stride);
            let ends = far.and_then(|far| Some((low.checked_add(far.min(0))?, high.checked_add(far.max(0))?)));
            let ends = ends.filter(|(low, high)| high.checked_sub(*low).is_some());
            (low, high) = ends.ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        if shape.is_empty() {
            (low, high) = (0, 0);
        }
        // Equal layouts are equal throughout: what lies inside, along dimensions that there are not.
        for place in (0..lacking).rev() {
            strides[place] = match strides.get(place + 1) {
                Some(inner) => inner.saturating_abs().saturating_mul(shape.inner_extent(MAX_DIMENSIONS - 2 - place).max(1) as isize),
                None => size,
            };
        }
        Ok(Layout { dtype, lanes: lanes as u8, shape, strides, low, high })
    }

    /// The type of a lane.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Numbers side by side that make an element.
    pub fn lanes(&self) -> u32 {
        u32::from(self.lanes)
    }

    /// The extents.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Bytes from one element of a dimension to the next, outermost first.
    pub fn strides(&self) -> &[isize] {
        &self.strides[MAX_DIMENSIONS - self.shape.rank()..]
    }

    /// The stride of the dimension that is `dimension` places from the innermost, as [`Shape::inner_extent`] counts them.
    #[inline]
    pub fn inner_stride(&self, dimension: usize) -> isize {
        if dimension < MAX_DIMENSIONS { self.strides[MAX_DIMENSIONS - 1 - dimension] } else { 0 }
    }

    /// Bytes of an element, with all its lanes.
    #[inline]
    pub fn element_size(&self) -> usize {
        self.dtype.size() * self.lanes as usize
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.shape.is_empty()
    }

    /// The bytes among which the elements lie, counted from the first element; `0..0` where there is none.
    #[inline]
    pub fn span(&self) -> core::ops::Range<isize> {
        self.low..self.high
    }

    /// Bytes from the lowest to behind the highest that an element takes, gaps included.
    #[inline]
    pub fn size_in_bytes(&self) -> usize {
        // In range since the layout was made.
        (self.high - self.low) as usize
    }

    /// Whether the elements lie side by side in the order of their coordinates: nothing between them, and nothing repeated.
    pub fn is_contiguous(&self) -> bool {
        let mut inside = self.element_size() as isize;
        self.is_empty()
            || self.shape.extents().iter().zip(self.strides()).rev().all(|(&extent, &stride)| {
                let fits = extent == 1 || stride == inside;
                inside *= extent as isize;
                fits
            })
    }

    /// Whether the elements of each row lie side by side.
    #[inline]
    pub fn has_contiguous_rows(&self) -> bool {
        self.inner_stride(0) == self.element_size() as isize || self.shape.width() <= 1
    }

    /// Bytes from the first element to the one at `coordinates`, outermost first; `None` outside.
    ///
    /// The last coordinate is that of the last dimension, however many there are: missing ones are 0.
    pub fn offset(&self, coordinates: &[usize]) -> Option<isize> {
        if coordinates.len() > MAX_DIMENSIONS || self.is_empty() {
            return None;
        }
        coordinates.iter().rev().enumerate().try_fold(0, |offset, (inner, &at)| {
            (at < self.shape.inner_extent(inner)).then(|| offset + at as isize * self.inner_stride(inner))
        })
    }

    /// Whether two elements may share a byte, so that the layout can't be written to.
    ///
    /// The answer is `false` where each dimension steps over all that lies inside it, in some order of the dimensions; layouts
    /// that interleave in another way are taken for overlapping.
    ///
    /// ```
    /// use lay::{DType, Layout};
    ///
    /// let row = Layout::new(DType::F32, 1, &[5])?;
    /// assert!(!row.may_overlap_itself() && row.broadcast_to(&[3, 5])?.may_overlap_itself());
    /// # Ok::<(), windrow_runtime::InvalidTensor>(())
    /// ```
    pub fn may_overlap_itself(&self) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut steps = [(0, 1); MAX_DIMENSIONS];
        for (step, d) in steps.iter_mut().zip(0..) {
            let extent = self.shape.inner_extent(d);
            // Along one element there is no step.
            *step = if extent == 1 { (usize::MAX, 1) } else { (self.inner_stride(d).unsigned_abs(), extent) };
        }
        steps.sort_unstable();
        let mut inside = self.element_size();
        steps.iter().filter(|(_, extent)| *extent > 1).any(|&(stride, extent)| {
            let overlaps = stride < inside;
            // In range, as the span is.
            inside = inside.saturating_add((extent - 1).saturating_mul(stride));
            overlaps
        })
    }
}

/// Other layouts of the same memory.
impl Layout {
    /// The layout of the elements of `extents` from `start` on, and the bytes to its first element; along dimensions in front that
    /// `start` and `extents` lack, it has all.
    ///
    /// # Errors
    /// A region that leaves the tensor.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<(isize, Layout), InvalidTensor> {
        for found in [start.len(), extents.len()] {
            if found > MAX_DIMENSIONS {
                return Err(InvalidTensor::TooManyDimensions { found });
            }
        }
        let (mut offset, mut shape) = (0, self.shape);
        for inner in 0..MAX_DIMENSIONS {
            let available = self.shape.inner_extent(inner);
            let from = start.iter().rev().nth(inner).copied().unwrap_or(0);
            let extent = extents.iter().rev().nth(inner).copied().unwrap_or(available.saturating_sub(from));
            if from.checked_add(extent).is_none_or(|end| end > available) {
                let dimension = self.shape.outer_index(inner);
                return Err(InvalidTensor::Region { dimension, start: from, extent, available });
            }
            // A region behind the last element starts nowhere: it is empty.
            offset += if from < available { from as isize * self.inner_stride(inner) } else { 0 };
            shape = shape.with_inner_extent(inner, extent);
        }
        let offset = if shape.is_empty() { 0 } else { offset };
        Ok((offset, Layout::checked(self.dtype, self.lanes(), shape, self.strides)?))
    }

    /// The dimensions in another order: dimension `d` of the new layout is dimension `order[d]` of this one, as
    /// `numpy.transpose` has it.
    ///
    /// ```
    /// use lay::{DType, Layout};
    ///
    /// let chw = Layout::new(DType::F32, 1, &[3, 480, 640])?;
    /// let hwc = chw.permute(&[1, 2, 0])?;
    /// assert_eq!((hwc.shape().extents(), hwc.strides()), (&[480, 640, 3][..], &[2560, 4, 1_228_800][..]));
    /// # Ok::<(), windrow_runtime::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// An order that does not name each dimension once.
    pub fn permute(&self, order: &[usize]) -> Result<Layout, InvalidTensor> {
        let rank = self.shape.rank();
        if order.len() != rank {
            return Err(InvalidTensor::Order { found: order.len(), rank });
        }
        let (mut extents, mut strides, mut seen) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS], [false; MAX_DIMENSIONS]);
        for (place, &dimension) in order.iter().enumerate() {
            let (extent, stride) = self.dimension(dimension)?;
            if core::mem::replace(&mut seen[dimension], true) {
                return Err(InvalidTensor::Order { found: order.len(), rank });
            }
            (extents[place], strides[place]) = (extent, stride);
        }
        Layout::with_strides(self.dtype, self.lanes(), &extents[..rank], &strides[..rank])
    }

    /// The dimensions in the opposite order: rows become columns.
    pub fn transpose(&self) -> Layout {
        let (mut layout, rank) = (*self, self.shape.rank());
        layout.strides[MAX_DIMENSIONS - rank..].reverse();
        layout.shape = self.shape.reversed();
        // The same elements: nothing can be out of range. What dimensions that there are not hold follows from the others.
        Layout::checked(self.dtype, self.lanes(), layout.shape, layout.strides).unwrap_or(layout)
    }

    /// The elements along `dimension` in the opposite order, and the bytes to the new first element.
    ///
    /// # Errors
    /// A dimension that there is not.
    pub fn flip(&self, dimension: usize) -> Result<(isize, Layout), InvalidTensor> {
        let (extent, stride) = self.dimension(dimension)?;
        let mut strides = self.strides;
        strides[MAX_DIMENSIONS - self.shape.rank() + dimension] =
            stride.checked_neg().ok_or(InvalidTensor::TooLarge { dimension })?;
        let offset = if self.is_empty() { 0 } else { (extent as isize - 1) * stride };
        Ok((offset, Layout::checked(self.dtype, self.lanes(), self.shape, strides)?))
    }

    /// Every `step`-th element along `dimension`, from the first on.
    ///
    /// # Errors
    /// A dimension that there is not, or a step of 0.
    pub fn step(&self, dimension: usize, step: usize) -> Result<Layout, InvalidTensor> {
        let (extent, stride) = self.dimension(dimension)?;
        if step == 0 {
            return Err(InvalidTensor::Step { dimension });
        }
        let extent = extent.div_ceil(step);
        let mut strides = self.strides;
        // Along one element the stride says nothing, and may be out of range.
        if extent > 1 {
            let wider = isize::try_from(step).ok().and_then(|step| stride.checked_mul(step));
            strides[MAX_DIMENSIONS - self.shape.rank() + dimension] = wider.ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        let inner = self.shape.rank() - 1 - dimension;
        Layout::checked(self.dtype, self.lanes(), self.shape.with_inner_extent(inner, extent), strides)
    }

    /// The layout with `extents`, by NumPy's rule: the last dimensions are aligned, and a dimension of one element, or one that is
    /// missing in front, repeats with a stride of 0.
    ///
    /// # Errors
    /// An extent that is neither this layout's nor repeats one element.
    pub fn broadcast_to(&self, extents: &[usize]) -> Result<Layout, InvalidTensor> {
        let shape = Shape::new(extents)?;
        if shape.rank() < self.shape.rank() {
            return Err(InvalidTensor::Broadcast { from: self.shape, to: shape });
        }
        let mut strides = self.strides;
        for inner in 0..shape.rank() {
            let (from, to) = (self.shape.inner_extent(inner), shape.inner_extent(inner));
            match from {
                _ if inner < self.shape.rank() && from == to => {}
                1 => strides[MAX_DIMENSIONS - 1 - inner] = 0,
                _ => return Err(InvalidTensor::Broadcast { from: self.shape, to: shape }),
            }
        }
        Layout::checked(self.dtype, self.lanes(), shape, strides)
    }

    /// One lane of each element, and the bytes to the first one: the green of RGB pixels.
    ///
    /// # Errors
    /// A lane that there is not.
    pub fn lane(&self, lane: u32) -> Result<(isize, Layout), InvalidTensor> {
        if lane >= self.lanes() {
            return Err(InvalidTensor::Lane { found: lane, lanes: self.lanes() });
        }
        let offset = if self.is_empty() { 0 } else { lane as isize * self.dtype.size() as isize };
        Ok((offset, Layout::checked(self.dtype, 1, self.shape, self.strides)?))
    }

    /// The lanes as the last dimension: 480×640 pixels of three channels become 480×640×3 numbers.
    ///
    /// # Errors
    /// Six dimensions already.
    pub fn split_lanes(&self) -> Result<Layout, InvalidTensor> {
        let rank = self.shape.rank();
        let (mut extents, mut strides) = ([self.lanes as usize; MAX_DIMENSIONS + 1], [0; MAX_DIMENSIONS + 1]);
        extents[..rank].copy_from_slice(self.shape.extents());
        strides[..rank].copy_from_slice(self.strides());
        strides[rank] = self.dtype.size() as isize;
        Layout::with_strides(self.dtype, 1, &extents[..=rank], &strides[..=rank])
    }

    /// The last dimension as lanes: 480×640×3 numbers become 480×640 pixels of three channels.
    ///
    /// # Errors
    /// Elements of several lanes, no dimension, a last dimension of none or more than four, or one whose elements lie apart.
    pub fn join_lanes(&self) -> Result<Layout, InvalidTensor> {
        let rank = self.shape.rank();
        let Some(dimension) = rank.checked_sub(1) else { return Err(InvalidTensor::Dimension { found: 0, rank }) };
        let (lanes, stride) = self.dimension(dimension)?;
        let lanes = u32::try_from(lanes).unwrap_or(u32::MAX).saturating_mul(self.lanes());
        if self.lanes != 1 || lanes == 0 || lanes > MAX_LANES {
            return Err(InvalidTensor::Channels { found: lanes });
        }
        if lanes > 1 && stride != self.dtype.size() as isize {
            return Err(InvalidTensor::LaneStride { found: stride, expected: self.dtype.size() });
        }
        Layout::with_strides(self.dtype, lanes, &self.shape.extents()[..dimension], &self.strides()[..dimension])
    }

    /// The extent and the stride of a dimension.
    fn dimension(&self, dimension: usize) -> Result<(usize, isize), InvalidTensor> {
        let found = self.shape.extents().get(dimension).zip(self.strides().get(dimension));
        found
            .map(|(&extent, &stride)| (extent, stride))
            .ok_or(InvalidTensor::Dimension { found: dimension, rank: self.shape.rank() })
    }
}

/// The bytes of an element.
fn element_size(dtype: DType, lanes: u32) -> Result<isize, InvalidTensor> {
    match lanes {
        1..=MAX_LANES => Ok((dtype.size() * lanes as usize) as isize),
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
