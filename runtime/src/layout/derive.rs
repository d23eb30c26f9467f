//! Other layouts of the same memory: regions, dimensions in another order, flipped, stepped over or repeated, single lanes.
//!
//! Each comes with the bytes from the first element to the new first one, where that moves.

use super::{Layout, MAX_DIMENSIONS, Shape};
use crate::info::InvalidTensor;

impl Layout {
    /// Returns the layout of the elements of `extents` from `start` on, and the bytes to its first element; along
    /// dimensions in front that `start` and `extents` lack, it has all.
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
            let available = self.inner_extent(inner);
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

    /// Returns the dimensions in another order: dimension `d` of the new layout is dimension `order[d]` of this one, as
    /// `numpy.transpose` has it.
    ///
    /// ```
    /// use windrow::tensor::{DType, Layout};
    ///
    /// let chw = Layout::new(DType::F32, 1, &[3, 480, 640])?;
    /// let hwc = chw.permute(&[1, 2, 0])?;
    /// assert_eq!((hwc.shape(), hwc.strides()), (windrow::Shape::new(&[480, 640, 3])?, &[2560, 4, 1_228_800][..]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// An order that does not name each dimension once.
    pub fn permute(&self, order: &[usize]) -> Result<Layout, InvalidTensor> {
        let rank = self.shape.rank();
        let (mut extents, mut strides, mut seen) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS], [false; MAX_DIMENSIONS]);
        if order.len() != rank {
            return Err(InvalidTensor::Order { found: order.len(), rank });
        }
        for (place, &dimension) in order.iter().enumerate() {
            (extents[place], strides[place]) = self.dimension(dimension)?;
            if core::mem::replace(&mut seen[dimension], true) {
                return Err(InvalidTensor::Order { found: order.len(), rank });
            }
        }
        Layout::with_strides(self.dtype, self.lanes(), &extents[..rank], &strides[..rank])
    }

    /// Returns the elements along `dimension` in the opposite order, and the bytes to the new first element.
    ///
    /// # Errors
    /// A dimension that there is not.
    pub fn flip(&self, dimension: usize) -> Result<(isize, Layout), InvalidTensor> {
        let (extent, stride) = self.dimension(dimension)?;
        let offset = if self.is_empty() { 0 } else { (extent as isize - 1) * stride };
        Ok((offset, self.with_stride(dimension, extent, stride.checked_neg())?))
    }

    /// Returns every `step`-th element along `dimension`, from the first on.
    ///
    /// # Errors
    /// A dimension that there is not, or a step of 0.
    pub fn step(&self, dimension: usize, step: usize) -> Result<Layout, InvalidTensor> {
        let (extent, stride) = self.dimension(dimension)?;
        if step == 0 {
            return Err(InvalidTensor::Step { dimension });
        }
        let extent = extent.div_ceil(step);
        // Along one element the stride says nothing, and may be out of range.
        let wider = if extent > 1 { stride.checked_mul(step as isize) } else { Some(stride) };
        self.with_stride(dimension, extent, wider)
    }

    /// Returns the layout with `extents`, by NumPy's rule: the last dimensions are aligned, and a dimension of one
    /// element, or one that is missing in front, repeats with a stride of 0.
    ///
    /// # Errors
    /// An extent that is neither this layout's nor repeats one element.
    pub fn broadcast_to(&self, extents: &[usize]) -> Result<Layout, InvalidTensor> {
        let shape = Shape::new(extents)?;
        let refused = InvalidTensor::Broadcast { from: self.shape, to: shape };
        if shape.rank() < self.shape.rank() {
            return Err(refused);
        }
        let mut strides = self.strides;
        for inner in 0..shape.rank() {
            match (self.inner_extent(inner), shape.inner_extent(inner)) {
                (from, to) if inner < self.shape.rank() && from == to => {}
                (1, _) => strides[MAX_DIMENSIONS - 1 - inner] = 0,
                _ => return Err(refused),
            }
        }
        Layout::checked(self.dtype, self.lanes(), shape, strides)
    }

    /// Returns one lane of each element, and the bytes to the first one: the green of RGB pixels.
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

    /// The extent and the stride of a dimension.
    fn dimension(&self, dimension: usize) -> Result<(usize, isize), InvalidTensor> {
        let rank = self.shape.rank();
        match self.strides().get(dimension) {
            Some(&stride) => Ok((self.inner_extent(rank - 1 - dimension), stride)),
            None => Err(InvalidTensor::Dimension { found: dimension, rank }),
        }
    }

    /// This layout with another extent and stride of a dimension that it has.
    fn with_stride(&self, dimension: usize, extent: usize, stride: Option<isize>) -> Result<Layout, InvalidTensor> {
        let (mut strides, inner) = (self.strides, self.shape.rank() - 1 - dimension);
        strides[MAX_DIMENSIONS - 1 - inner] = stride.ok_or(InvalidTensor::TooLarge { dimension })?;
        Layout::checked(self.dtype, self.lanes(), self.shape.with_inner_extent(inner, extent), strides)
    }
}
