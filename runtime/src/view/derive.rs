//! Other views of the same elements, without a copy: flipped, with their dimensions in another order, every n-th of them, one
//! channel, or repeated.

use super::{AnyView, AnyViewMut, View, ViewMut};
use crate::{copy::copy_tensor, element::Element, info::InvalidTensor};

impl<'a, T: Element> View<'a, T> {
    /// Returns the elements along `dimension`, counted from the outermost, in the opposite order.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let image = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!((image.flip(0)?.get([0, 0]), image.flip(1)?.get([0, 0])), (Some(4), Some(3)));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// A dimension that the tensor lacks.
    pub fn flip(self, dimension: usize) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.info.flip(dimension)?;
        // SAFETY: `offset` is that of an element of this view, or 0, and its elements are this view's.
        Ok(unsafe { View::over(self.any.base.offset(offset), info) })
    }

    /// Returns the dimensions in another order, as `numpy.transpose` has it: dimension `d` is this view's dimension
    /// `order[d]`.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let image = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
    /// let columns = image.permute([1, 0])?;
    /// assert_eq!((columns.info().height(), columns.get([2, 1])), (3, Some(6)));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// An order that does not name each dimension once.
    pub fn permute<const R: usize>(self, order: [usize; R]) -> Result<Self, InvalidTensor> {
        let (_, info) = self.any.info.permute(&order)?;
        // SAFETY: the elements are this view's.
        Ok(unsafe { View::over(self.any.base, info) })
    }

    /// Returns every `step`-th element along `dimension`, from the first on.
    ///
    /// # Errors
    /// A dimension that the tensor lacks, or a step of 0.
    pub fn step(self, dimension: usize, step: usize) -> Result<Self, InvalidTensor> {
        let (_, info) = self.any.info.step(dimension, step)?;
        // SAFETY: the elements are some of this view's.
        Ok(unsafe { View::over(self.any.base, info) })
    }

    /// Returns the tensor of `extents` that repeats these elements by NumPy's rule: the last dimensions are aligned,
    /// and a dimension of one element, or one that is missing in front, repeats.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let row = View::from_slice(&[1u8, 2, 3], [3])?;
    /// assert_eq!(row.broadcast_to([480, 3])?.get([479, 1]), Some(2));
    /// assert!(row.broadcast_to([480, 4]).is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// An extent that is neither this view's nor repeats one element.
    pub fn broadcast_to<const R: usize>(self, extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let (_, info) = self.any.info.broadcast_to(&extents)?;
        // SAFETY: each element is one of this view's; where there is none, there is none here.
        Ok(unsafe { View::over(self.any.base, info) })
    }

    /// Returns one channel of each element.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let photo = View::from_slice(&[[1u8, 2, 3], [4, 5, 6]], [1, 2])?;
    /// assert_eq!(photo.channel(1)?.get([0, 1]), Some(5));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// A channel that an element lacks.
    pub fn channel(self, channel: u32) -> Result<View<'a, T::Channel>, InvalidTensor> {
        let (offset, info) = self.any.info.channel(channel)?;
        // SAFETY: the channels are those of this view's elements.
        Ok(unsafe { View::over(self.any.base.offset(offset), info) })
    }
}

impl AnyViewMut<'_> {
    /// Copies the elements of a tensor of the same type and shape here, wherever each of them lies.
    ///
    /// ```
    /// use windrow::{Tensor, View};
    ///
    /// let columns = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?.permute([1, 0])?;
    /// let mut image = Tensor::<u8>::new([3, 2])?;
    /// image.view_mut().any().copy_from(&columns.any())?;
    /// assert_eq!(image.to_vec(), [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    ///
    /// # Errors
    /// A tensor of another type or shape, or bytes that are not `bool`s.
    pub fn copy_from(&mut self, from: &AnyView<'_>) -> Result<(), InvalidTensor> {
        let (to, shape) = (self.place.info, self.place.info.shape());
        let (found, expected) = (from.info.dtype(), to.dtype());
        let (found_channels, expected_channels) = (from.info.channels(), to.channels());
        if (found, found_channels) != (expected, expected_channels) {
            return Err(InvalidTensor::Element { found, found_channels, expected, expected_channels });
        }
        if !from.info.shape().same_extents(&shape) {
            return Err(InvalidTensor::Shape { found: from.info.shape(), expected: shape });
        }
        from.expect_values()?;
        // SAFETY: the elements of both are readable and writable; a shared and an exclusive borrow share none.
        unsafe { copy_tensor((from.base, &from.info), (self.place.base, &to)) };
        Ok(())
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// Returns the elements along `dimension`, counted from the outermost, in the opposite order.
    ///
    /// # Errors
    /// A dimension that the tensor lacks.
    pub fn flip(self, dimension: usize) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.place.info.flip(dimension)?;
        // SAFETY: `offset` is that of an element of this view, or 0, and its elements are this view's.
        Ok(unsafe { ViewMut::over(self.any.place.base.offset(offset), info) })
    }

    /// Returns the dimensions in another order, as [`View::permute`].
    ///
    /// # Errors
    /// An order that does not name each dimension once.
    pub fn permute<const R: usize>(self, order: [usize; R]) -> Result<Self, InvalidTensor> {
        let (_, info) = self.any.place.info.permute(&order)?;
        // SAFETY: the elements are this view's.
        Ok(unsafe { ViewMut::over(self.any.place.base, info) })
    }

    /// Returns every `step`-th element along `dimension`, from the first on.
    ///
    /// # Errors
    /// A dimension that the tensor lacks, or a step of 0.
    pub fn step(self, dimension: usize, step: usize) -> Result<Self, InvalidTensor> {
        let (_, info) = self.any.place.info.step(dimension, step)?;
        // SAFETY: the elements are some of this view's.
        Ok(unsafe { ViewMut::over(self.any.place.base, info) })
    }

    /// Returns one channel of each element.
    ///
    /// # Errors
    /// A channel that an element lacks.
    pub fn channel(self, channel: u32) -> Result<ViewMut<'a, T::Channel>, InvalidTensor> {
        let (offset, info) = self.any.place.info.channel(channel)?;
        // SAFETY: the channels are those of this view's elements.
        Ok(unsafe { ViewMut::over(self.any.place.base.offset(offset), info) })
    }
}
