//! The same memory in other elements: pixels of more or fewer channels, every second row.
//!
//! With these a kernel whose output is finer than its input writes in place: a block of 2 × 2 elements is a pixel of twice the
//! channels in two rows that alternate.

use super::{View, ViewMut};
use crate::{
    element::Element,
    info::{InvalidTensor, TensorInfo},
};

impl<'a, T: Element> View<'a, T> {
    /// The same channels, grouped in elements `U`; rows must hold a whole number of them.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let yuyv = [10u8, 1, 11, 2, 12, 3, 13, 4];
    /// let pairs = View::from_slice(&yuyv, [4, 2])?.regroup::<[u8; 4]>()?;
    /// assert_eq!(pairs.get([0, 1]), Some([12, 3, 13, 4]));
    /// assert!(pairs.regroup::<[u8; 3]>().is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn regroup<U: Element<Channel = T::Channel>>(self) -> Result<View<'a, U>, InvalidTensor> {
        Ok(View::over(self.any.base, self.any.info.regroup::<U>()?))
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// The same channels, grouped in elements `U`; rows must hold a whole number of them.
    pub fn regroup<U: Element<Channel = T::Channel>>(self) -> Result<ViewMut<'a, U>, InvalidTensor> {
        Ok(ViewMut::over(self.any.base, self.any.info.regroup::<U>()?))
    }

    /// The even rows, and the odd ones.
    ///
    /// ```
    /// use windrow::ViewMut;
    ///
    /// let mut pixels = [0u8; 10];
    /// let (mut even, mut odd) = ViewMut::from_slice(&mut pixels, [2, 5])?.alternate_rows()?;
    /// assert_eq!((even.info().height(), odd.info().height()), (3, 2));
    /// assert!(even.set([1, 2], 7) && odd.set([0, 1], 8));
    /// assert_eq!(pixels, [0, 0, 0, 0, 0, 0, 8, 0, 0, 7]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn alternate_rows(self) -> Result<(Self, Self), InvalidTensor> {
        let info = self.any.info;
        let (even, odd) = (info.every_second_row(0)?, info.every_second_row(1)?);
        let offset = if odd.is_empty() { 0 } else { info.stride(1) };
        // SAFETY: `offset` is that of an element of this view, or 0; the two share no element.
        Ok((ViewMut::over(self.any.base, even), ViewMut::over(unsafe { self.any.base.add(offset) }, odd)))
    }
}

impl TensorInfo {
    /// The same rows in elements `U`.
    fn regroup<U: Element>(&self) -> Result<TensorInfo, InvalidTensor> {
        let channels = self.width() * self.channels() as usize;
        let (mut extents, mut strides) = (self.shape().extents(), [0; crate::info::MAX_DIMENSIONS]);
        if !channels.is_multiple_of(U::CHANNELS as usize) {
            return Err(InvalidTensor::Channels { found: U::CHANNELS });
        }
        extents[0] = channels / U::CHANNELS as usize;
        (1..extents.len()).for_each(|d| strides[d] = self.stride(d));
        strides[0] = size_of::<U>();
        TensorInfo::with_strides(U::TYPE, U::CHANNELS, &extents, &strides)
    }

    fn every_second_row(&self, first: usize) -> Result<TensorInfo, InvalidTensor> {
        let (mut extents, mut strides) = (self.shape().extents(), [0; crate::info::MAX_DIMENSIONS]);
        extents[1] = extents[1].saturating_sub(first).div_ceil(2);
        (0..extents.len()).for_each(|d| strides[d] = self.stride(d));
        // The stride along one row says nothing: it need not fit below the planes'.
        strides[1] *= if extents[1] > 1 { 2 } else { 1 };
        TensorInfo::with_strides(self.element(), self.channels(), &extents, &strides)
    }
}
