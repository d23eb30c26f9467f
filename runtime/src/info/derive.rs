//! The metadata of other views of the same elements: what [`Layout`](crate::layout::Layout) says of places, this says of what is valid.

use super::{InvalidTensor, Layout, MAX_DIMENSIONS, Shape, TensorInfo};

/// The bytes from the first element to the new first one, and the new metadata.
type Moved = Result<(isize, TensorInfo), InvalidTensor>;

impl TensorInfo {
    /// The elements along `dimension` in the opposite order.
    pub(crate) fn flip(&self, dimension: usize) -> Moved {
        let (offset, layout) = self.layout.flip(dimension)?;
        let (mut valid, inner) = (self.valid_region(), self.shape().rank() - 1 - dimension);
        let (extent, start, end) = (layout.inner_extent(inner), valid.start[inner], valid.end[inner]);
        (valid.start[inner], valid.end[inner]) = (extent - end, extent - start);
        Ok((offset, self.elsewhere(offset, layout, &valid)))
    }

    /// The dimensions in another order.
    pub(crate) fn permute(&self, order: &[usize]) -> Moved {
        let layout = self.layout.permute(order)?;
        let (old, mut valid, rank) = (self.valid_region(), self.valid_region(), order.len());
        for (place, &dimension) in order.iter().enumerate() {
            let (to, from) = (rank - 1 - place, rank - 1 - dimension);
            (valid.start[to], valid.end[to]) = (old.start[from], old.end[from]);
        }
        Ok((0, self.elsewhere(0, layout, &valid)))
    }

    /// Every `step`-th element along `dimension`.
    pub(crate) fn step(&self, dimension: usize, step: usize) -> Moved {
        let layout = self.layout.step(dimension, step)?;
        let (mut valid, inner) = (self.valid_region(), self.shape().rank() - 1 - dimension);
        valid.start[inner] = valid.start[inner].div_ceil(step);
        valid.end[inner] = valid.end[inner].div_ceil(step);
        Ok((0, self.elsewhere(0, layout, &valid)))
    }

    /// Elements repeated to `extents`.
    pub(crate) fn broadcast_to(&self, extents: &[usize]) -> Moved {
        let layout = self.layout.broadcast_to(extents)?;
        let mut valid = self.valid_region();
        for inner in 0..MAX_DIMENSIONS {
            let extent = layout.inner_extent(inner);
            if extent != self.layout.inner_extent(inner) {
                // One element stands for all, if it is valid.
                valid.end[inner] = if valid.start[inner] < valid.end[inner] { extent } else { valid.start[inner] };
                valid.end[inner] = valid.end[inner].min(extent);
                valid.start[inner] = valid.start[inner].min(valid.end[inner]);
            }
        }
        Ok((0, self.elsewhere(0, layout, &valid)))
    }

    /// The first plane, without the dimensions around it; `None` where there is no element.
    pub(crate) fn rows_and_columns(&self) -> Option<TensorInfo> {
        if self.is_empty() {
            return None;
        }
        let (shape, strides) = (Shape::new(&[self.height(), self.width()]).ok()?, self.layout.all_strides());
        let layout = Layout::checked(self.dtype(), self.channels(), shape, strides).ok()?;
        let valid = self.valid_region().within(&[0; MAX_DIMENSIONS], shape);
        Some(self.elsewhere(0, layout, &valid))
    }

    /// One channel of each element.
    pub(crate) fn channel(&self, channel: u32) -> Moved {
        let (offset, layout) = self.layout.lane(channel)?;
        Ok((offset, self.elsewhere(offset, layout, &self.valid_region())))
    }
}
