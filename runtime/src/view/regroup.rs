//! The same memory in other elements: pixels of more or fewer channels, every second row.
//!
//! With these a kernel whose output is finer than its input writes in place: a block of 2 × 2 elements is a pixel of twice the
//! channels in two rows that alternate.

use super::{View, ViewMut};
use crate::{
    element::Element,
    info::{InvalidTensor, MAX_DIMENSIONS, TensorInfo},
    layout::Layout,
};

impl<'a, T: Element> View<'a, T> {
    /// Returns the same channels, grouped in elements `U`; rows must hold a whole number of them.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let yuyv = [10u8, 1, 11, 2, 12, 3, 13, 4];
    /// let pairs = View::from_slice(&yuyv, [2, 4])?.regroup::<[u8; 4]>()?;
    /// assert_eq!(pairs.get([1, 0]), Some([12, 3, 13, 4]));
    /// assert!(pairs.regroup::<[u8; 3]>().is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn regroup<U: Element<Channel = T::Channel>>(self) -> Result<View<'a, U>, InvalidTensor> {
        let info = self.any.info.regroup::<U>()?;
        // SAFETY: the same channels as this view's.
        Ok(unsafe { View::over(self.any.base, info) })
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// Returns the same channels, grouped in elements `U`; rows must hold a whole number of them.
    pub fn regroup<U: Element<Channel = T::Channel>>(self) -> Result<ViewMut<'a, U>, InvalidTensor> {
        let info = self.any.place.info.regroup::<U>()?;
        // SAFETY: the same channels as this view's.
        Ok(unsafe { ViewMut::over(self.any.place.base, info) })
    }

    /// Returns the even rows, and the odd ones.
    ///
    /// ```
    /// use windrow::ViewMut;
    ///
    /// let mut pixels = [0u8; 10];
    /// let (mut even, mut odd) = ViewMut::from_slice(&mut pixels, [5, 2])?.alternate_rows()?;
    /// assert_eq!((even.info().height(), odd.info().height()), (3, 2));
    /// assert!(even.set([2, 1], 7) && odd.set([1, 0], 8));
    /// assert_eq!(pixels, [0, 0, 0, 0, 0, 0, 8, 0, 0, 7]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn alternate_rows(self) -> Result<(Self, Self), InvalidTensor> {
        let info = self.any.place.info;
        let (even, odd) = (info.every_second_row(0)?, info.every_second_row(1)?);
        let offset = if odd.is_empty() { 0 } else { info.row_stride() };
        // SAFETY: `offset` is that of an element of this view, or 0; the elements are this view's, and the two share none.
        Ok(unsafe {
            (ViewMut::over(self.any.place.base, even), ViewMut::over(self.any.place.base.offset(offset), odd))
        })
    }
}

impl TensorInfo {
    /// The same rows in elements `U`.
    fn regroup<U: Element>(&self) -> Result<TensorInfo, InvalidTensor> {
        let (found, expected) = (self.inner_stride(0), self.pixel_size());
        if !self.layout().has_contiguous_rows() {
            return Err(InvalidTensor::RowStride { found, expected });
        }
        let channels = self.width() * self.channels() as usize;
        if !channels.is_multiple_of(U::CHANNELS as usize) {
            return Err(InvalidTensor::Channels { found: U::CHANNELS });
        }
        let shape = self.shape().with_inner_extent(0, channels / U::CHANNELS as usize);
        let mut strides = self.layout().all_strides();
        strides[MAX_DIMENSIONS - 1] = size_of::<U>() as isize;
        Ok(Layout::checked(U::TYPE, U::CHANNELS, shape, strides)?.into())
    }

    fn every_second_row(&self, first: usize) -> Result<TensorInfo, InvalidTensor> {
        let rows = self.height().saturating_sub(first).div_ceil(2);
        let mut strides = self.layout().all_strides();
        // The stride along one row says nothing: it need not fit below the planes'.
        strides[MAX_DIMENSIONS - 2] *= if rows > 1 { 2 } else { 1 };
        let shape = self.shape().with_inner_extent(1, rows);
        Ok(Layout::checked(self.dtype(), self.channels(), shape, strides)?.into())
    }
}
