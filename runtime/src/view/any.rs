//! Views whose element type is known at run time: what a run is bound to.

use core::{marker::PhantomData, ptr::NonNull};

use super::{View, ViewMut};
use crate::{
    dtype::DType,
    element::Element,
    info::{InvalidTensor, TensorInfo},
    overlap,
    planes::Coordinates,
};

/// A tensor to read, whose element type is known at run time.
#[derive(Clone, Copy, Debug)]
pub struct AnyView<'a> {
    pub(super) base: NonNull<u8>,
    pub(super) info: TensorInfo,
    pub(super) data: PhantomData<&'a [u8]>,
}

/// A tensor to write, whose element type is known at run time.
#[derive(Debug)]
pub struct AnyViewMut<'a> {
    /// Where the tensor lies; its elements are borrowed exclusively.
    pub(super) place: AnyView<'a>,
    pub(super) exclusive: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view is a shared borrow of plain data.
unsafe impl Send for AnyView<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyView<'_> {}

impl<'a> AnyView<'a> {
    /// Returns the tensor `info` whose first element is at `base`.
    ///
    /// # Safety
    /// For `'a`, every element of `info` is readable, initialised and aligned for a channel, and nothing writes one, except a run to
    /// which the same tensor is given as an output too.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyView { base, info, data: PhantomData }
    }

    /// The first element.
    #[inline]
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Returns the metadata of the tensor.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Returns the first element.
    pub fn as_ptr(&self) -> *const u8 {
        self.base.as_ptr()
    }

    /// Returns whether some byte belongs to both tensors; `true` where that can't be told from their strides.
    pub fn shares_memory(&self, other: &AnyView<'_>) -> bool {
        overlap::share((self.base, &self.info), (other.base, &other.info))
    }

    /// Returns the same integers, whatever they stand for.
    #[must_use]
    pub fn without_quantization(self) -> Self {
        AnyView { info: self.info.without_quantization(), ..self }
    }

    /// Returns the view of elements `T`, where it is one.
    ///
    /// # Errors
    /// Elements of another type, or bytes that are not `bool`s.
    pub fn typed<T: Element>(self) -> Result<View<'a, T>, InvalidTensor> {
        self.info.expect::<T>()?;
        self.expect_values()?;
        Ok(View { any: self, element: PhantomData })
    }

    /// Checks that what lies there are values of the element type: of most types, all bytes are.
    #[inline]
    pub(crate) fn expect_values(&self) -> Result<(), InvalidTensor> {
        if self.info.dtype() == DType::Bool { self.expect_bools() } else { Ok(()) }
    }

    #[cold]
    fn expect_bools(&self) -> Result<(), InvalidTensor> {
        let shape = self.info.shape();
        for at in Coordinates::of_rows(&shape) {
            let Some(row) = self.info.inner_offset(&at) else { continue };
            for x in 0..shape.width() as isize {
                for lane in 0..self.info.channels() as isize {
                    let offset = row + x * self.info.inner_stride(0) + lane;
                    // SAFETY: a byte of an element, which is readable and initialised.
                    let found = unsafe { self.base.as_ptr().offset(offset).read() };
                    if found > 1 {
                        return Err(InvalidTensor::Bool { found });
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> AnyViewMut<'a> {
    /// Returns the tensor `info` whose first element is at `base`.
    ///
    /// # Safety
    /// For `'a`, every element of `info` is readable, initialised, writable and aligned for a channel, no two of them overlap, and
    /// nothing else touches one, except views of the same tensor that are given to the same run as inputs.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyViewMut { place: AnyView { base, info, data: PhantomData }, exclusive: PhantomData }
    }

    /// The first element.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.place.base
    }

    /// Returns the metadata of the tensor.
    pub fn info(&self) -> &TensorInfo {
        &self.place.info
    }

    /// Returns the first element, to read.
    pub fn as_ptr(&self) -> *const u8 {
        self.place.as_ptr()
    }

    /// Returns the first element, to write.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.place.base.as_ptr()
    }

    /// Where it lies, for a run: who has this may write the elements through the pointer, and read them through nothing else.
    #[inline]
    pub(crate) fn place(&mut self) -> &AnyView<'a> {
        &self.place
    }

    /// The same, where the view itself is no longer needed.
    pub(crate) fn into_place(self) -> AnyView<'a> {
        self.place
    }

    /// Returns the same tensor, to read.
    pub fn view(&self) -> AnyView<'_> {
        self.place
    }

    /// Returns the same tensor, for a shorter time.
    pub fn reborrow(&mut self) -> AnyViewMut<'_> {
        AnyViewMut { place: self.place, exclusive: PhantomData }
    }

    /// Returns the same integers, whatever they stand for.
    #[must_use]
    pub fn without_quantization(self) -> Self {
        AnyViewMut { place: self.place.without_quantization(), ..self }
    }

    /// Returns the view of elements `T`, where it is one.
    ///
    /// # Errors
    /// As [`AnyView::typed`].
    pub fn typed<T: Element>(self) -> Result<ViewMut<'a, T>, InvalidTensor> {
        self.place.info.expect::<T>()?;
        self.place.expect_values()?;
        Ok(ViewMut { any: self, element: PhantomData })
    }
}

impl<'a, T: Element> From<View<'a, T>> for AnyView<'a> {
    fn from(view: View<'a, T>) -> AnyView<'a> {
        view.any
    }
}

impl<'a, T: Element> From<ViewMut<'a, T>> for AnyViewMut<'a> {
    fn from(view: ViewMut<'a, T>) -> AnyViewMut<'a> {
        view.any
    }
}
