//! Borrowed tensors: [`View`] to read, [`ViewMut`] to write, and their forms without element type.
//!
//! A view is a pointer and a [`TensorInfo`] that was checked against the memory it borrows. This is the one place where
//! a caller's slice becomes a pointer; everything that runs a kernel starts from here. Padding between rows is
//! never read or written through a view.

mod import;
mod regroup;

use core::{marker::PhantomData, ptr::NonNull};

use crate::{
    element::Element,
    info::{InvalidTensor, MAX_DIMENSIONS, TensorInfo},
    overlap::share_memory,
};

use import::{expect_alignment, expect_bytes, expect_length};

/// A tensor to read, whose element type is known at run time.
#[derive(Clone, Copy, Debug)]
pub struct AnyView<'a> {
    base: NonNull<u8>,
    info: TensorInfo,
    data: PhantomData<&'a [u8]>,
}

/// A tensor to write, whose element type is known at run time.
#[derive(Debug)]
pub struct AnyViewMut<'a> {
    base: NonNull<u8>,
    info: TensorInfo,
    data: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view is a shared borrow of plain data.
unsafe impl Send for AnyView<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyView<'_> {}
// SAFETY: an exclusive borrow of plain data; a shared `AnyViewMut` gives only reads.
unsafe impl Send for AnyViewMut<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyViewMut<'_> {}

impl<'a> AnyView<'a> {
    /// A tensor that lies at `base`.
    ///
    /// # Safety
    /// As for [`View::from_raw`].
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyView::over(base, info)
    }

    /// The caller vouches for `info`'s elements at `base`, borrowed for `'a`.
    pub(crate) fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyView { base, info, data: PhantomData }
    }

    /// The first element.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// What is known of it.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// The first element.
    pub fn as_ptr(&self) -> *const u8 {
        self.base.as_ptr()
    }

    /// Whether some byte belongs to both tensors; `true` where that can't be told from their strides.
    pub fn shares_memory(&self, other: &AnyView<'_>) -> bool {
        share_memory(self.base.as_ptr().addr(), &self.info, other.base.as_ptr().addr(), &other.info)
    }

    /// The view of elements `T`, where it is one.
    pub fn typed<T: Element>(self) -> Result<View<'a, T>, InvalidTensor> {
        self.info.expect::<T>()?;
        Ok(View { any: self, element: PhantomData })
    }
}

impl<'a> AnyViewMut<'a> {
    /// A tensor that lies at `base`.
    ///
    /// # Safety
    /// As for [`ViewMut::from_raw`].
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyViewMut::over(base, info)
    }

    /// The caller vouches for `info`'s elements at `base`, borrowed exclusively for `'a`.
    pub(crate) fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        AnyViewMut { base, info, data: PhantomData }
    }

    /// The first element.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// What is known of it.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// The first element, to read.
    pub fn as_ptr(&self) -> *const u8 {
        self.base.as_ptr()
    }

    /// The first element, to write.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.base.as_ptr()
    }

    /// The same tensor, to read.
    pub fn view(&self) -> AnyView<'_> {
        AnyView { base: self.base, info: self.info, data: PhantomData }
    }

    /// The same tensor, for a shorter time.
    pub fn reborrow(&mut self) -> AnyViewMut<'_> {
        AnyViewMut { base: self.base, info: self.info, data: PhantomData }
    }

    /// The view of elements `T`, where it is one.
    pub fn typed<T: Element>(self) -> Result<ViewMut<'a, T>, InvalidTensor> {
        self.info.expect::<T>()?;
        Ok(ViewMut { any: self, element: PhantomData })
    }
}

/// A tensor of elements `T`, to read.
#[derive(Debug)]
pub struct View<'a, T: Element> {
    any: AnyView<'a>,
    element: PhantomData<T>,
}

impl<T: Element> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for View<'_, T> {}

/// A tensor of elements `T`, to write.
#[derive(Debug)]
pub struct ViewMut<'a, T: Element> {
    any: AnyViewMut<'a>,
    element: PhantomData<T>,
}

impl<'a, T: Element> View<'a, T> {
    /// The elements of a slice, without gaps.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// let pixels = [1u8, 2, 3, 4, 5, 6];
    /// let image = View::from_slice(&pixels, [3, 2])?;
    /// assert_eq!(image.get([2, 1]), Some(6));
    /// assert!(View::from_slice(&pixels, [3, 3]).is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn from_slice<const R: usize>(elements: &'a [T], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::of::<T>(&extents)?;
        expect_length(elements.len(), &info)?;
        Ok(View::over(NonNull::from(elements).cast(), info))
    }

    /// A tensor in a slice of channels, whose rows, planes, … are `strides` bytes apart, one stride a dimension.
    ///
    /// ```
    /// use windrow::View;
    ///
    /// // Two rows of two pixels; rows start at multiples of four bytes.
    /// let bytes = [1u8, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12];
    /// let image = View::<[u8; 3]>::with_strides(&bytes, &[2, 2], &[3, 8])?;
    /// assert_eq!(image.get([1, 1]), Some([10, 11, 12]));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn with_strides(
        channels: &'a [T::Channel],
        extents: &[usize],
        strides: &[usize],
    ) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::with_strides(T::TYPE, T::CHANNELS, extents, strides)?;
        expect_bytes(size_of_val(channels), &info)?;
        Ok(View::over(NonNull::from(channels).cast(), info))
    }

    /// A tensor that lies at `base`.
    ///
    /// # Safety
    /// For `'a`, `base` is aligned for a channel, every element of `info` is readable, and nothing writes one of them,
    /// except a run to which the same tensor is given as an output too.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        expect_alignment(base.as_ptr(), &info)?;
        Ok(View::over(base, info))
    }

    /// No element.
    pub(crate) fn empty() -> Self {
        View::over(NonNull::<T>::dangling().cast(), TensorInfo::empty::<T>())
    }

    /// The caller vouches for `info`'s elements at `base`, borrowed for `'a`.
    pub(crate) fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        View { any: AnyView { base, info, data: PhantomData }, element: PhantomData }
    }

    /// What is known of it.
    pub fn info(&self) -> &TensorInfo {
        &self.any.info
    }

    /// The same tensor without its element type.
    pub fn any(self) -> AnyView<'a> {
        self.any
    }

    /// The element at `coordinates`; `None` outside.
    pub fn get<const R: usize>(&self, coordinates: [usize; R]) -> Option<T> {
        let offset = self.any.info.offset(&coordinates)?;
        // SAFETY: `offset` is that of an element, and elements are readable and aligned for `T` by construction.
        Some(unsafe { self.any.base.as_ptr().add(offset).cast::<T>().read() })
    }

    /// All elements, the first dimension fastest, where they lie side by side.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let info = self.info();
        // SAFETY: the elements fill the bytes from the first one, and are borrowed for 'a.
        info.is_packed().then(|| unsafe {
            core::slice::from_raw_parts(self.any.base.as_ptr().cast(), info.size_in_bytes() / info.pixel_size())
        })
    }

    /// Row `y` of the first plane; `None` outside.
    pub fn row(&self, y: usize) -> Option<&'a [T]> {
        let offset = self.any.info.offset(&[0, y])?;
        // SAFETY: the `width` elements from `offset` lie side by side and are borrowed for 'a.
        Some(unsafe {
            core::slice::from_raw_parts(self.any.base.as_ptr().add(offset).cast::<T>(), self.any.info.width())
        })
    }

    /// The region of interest of `extents` at `start`.
    pub fn region<const R: usize>(&self, start: [usize; R], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.info.region(&start, &extents)?;
        // SAFETY: `offset` is that of an element of this view, or 0.
        Ok(View::over(unsafe { self.any.base.add(offset) }, info))
    }

    /// The plane at `index` of the third dimension.
    pub fn plane(&self, index: usize) -> Result<Self, InvalidTensor> {
        let shape = self.any.info.shape();
        self.region([0, 0, index], [shape.width(), shape.height(), 1])
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// The elements of a slice, without gaps.
    pub fn from_slice<const R: usize>(elements: &'a mut [T], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::of::<T>(&extents)?;
        expect_length(elements.len(), &info)?;
        Ok(ViewMut::over(NonNull::from(elements).cast(), info))
    }

    /// A tensor in a slice of channels, whose rows, planes, … are `strides` bytes apart, one stride a dimension.
    pub fn with_strides(
        channels: &'a mut [T::Channel],
        extents: &[usize],
        strides: &[usize],
    ) -> Result<Self, InvalidTensor> {
        let info = TensorInfo::with_strides(T::TYPE, T::CHANNELS, extents, strides)?;
        expect_bytes(size_of_val(channels), &info)?;
        Ok(ViewMut::over(NonNull::from(channels).cast(), info))
    }

    /// A tensor that lies at `base`.
    ///
    /// # Safety
    /// For `'a`, `base` is aligned for a channel, every element of `info` is readable and writable, and nothing else
    /// touches one of them, except views of the same tensor that are given to the same run as inputs.
    pub unsafe fn from_raw(base: NonNull<u8>, info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        expect_alignment(base.as_ptr(), &info)?;
        Ok(ViewMut::over(base, info))
    }

    /// The first element, to write through the view's own borrow.
    pub(crate) fn first_mut(&self) -> *mut u8 {
        self.any.base.as_ptr()
    }

    /// The tensor in two along `dimension`: what lies before `at`, and the rest.
    ///
    /// ```
    /// use windrow::ViewMut;
    ///
    /// let mut pixels = [0u8; 12];
    /// let (mut left, mut right) = ViewMut::from_slice(&mut pixels, [4, 3])?.split_at(0, 1)?;
    /// assert!(left.set([0, 2], 1) && right.set([2, 2], 2) && !left.set([1, 0], 3));
    /// assert_eq!(pixels[8..], [1, 0, 0, 2]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn split_at(self, dimension: usize, at: usize) -> Result<(Self, Self), InvalidTensor> {
        let (mut start, mut extents) = ([0; MAX_DIMENSIONS], self.any.info.shape().extents());
        if dimension >= MAX_DIMENSIONS {
            return Err(InvalidTensor::TooManyDimensions { found: dimension.saturating_add(1) });
        }
        let available = extents[dimension];
        let rest = available.checked_sub(at);
        let rest = rest.ok_or(InvalidTensor::Region { dimension, start: 0, extent: at, available })?;
        extents[dimension] = at;
        let (_, before) = self.any.info.region(&start, &extents)?;
        (start[dimension], extents[dimension]) = (at, rest);
        let (offset, behind) = self.any.info.region(&start, &extents)?;
        // SAFETY: `offset` is that of an element of this view, or 0; the two share no element.
        Ok((ViewMut::over(self.any.base, before), ViewMut::over(unsafe { self.any.base.add(offset) }, behind)))
    }

    /// The caller vouches for `info`'s elements at `base`, borrowed for `'a`.
    pub(crate) fn over(base: NonNull<u8>, info: TensorInfo) -> Self {
        ViewMut { any: AnyViewMut { base, info, data: PhantomData }, element: PhantomData }
    }

    /// What is known of it.
    pub fn info(&self) -> &TensorInfo {
        &self.any.info
    }

    /// The same tensor without its element type.
    pub fn any(self) -> AnyViewMut<'a> {
        self.any
    }

    /// The same tensor, to read.
    pub fn view(&self) -> View<'_, T> {
        View::over(self.any.base, self.any.info)
    }

    /// The same tensor, for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut::over(self.any.base, self.any.info)
    }

    /// Writes the element at `coordinates`; `false` outside.
    #[must_use]
    pub fn set<const R: usize>(&mut self, coordinates: [usize; R], value: T) -> bool {
        let Some(offset) = self.any.info.offset(&coordinates) else { return false };
        // SAFETY: `offset` is that of an element, and elements are writable and aligned for `T` by construction.
        unsafe { self.any.base.as_ptr().add(offset).cast::<T>().write(value) };
        true
    }

    /// All elements, the first dimension fastest, where they lie side by side.
    pub fn into_slice(self) -> Option<&'a mut [T]> {
        let info = &self.any.info;
        // SAFETY: the elements fill the bytes from the first one, and are borrowed exclusively for 'a.
        info.is_packed().then(|| unsafe {
            core::slice::from_raw_parts_mut(self.any.base.as_ptr().cast(), info.size_in_bytes() / info.pixel_size())
        })
    }

    /// Row `y` of the first plane; `None` outside.
    pub fn row_mut(&mut self, y: usize) -> Option<&mut [T]> {
        let offset = self.any.info.offset(&[0, y])?;
        // SAFETY: the `width` elements from `offset` lie side by side and are borrowed exclusively with `self`.
        Some(unsafe {
            core::slice::from_raw_parts_mut(self.any.base.as_ptr().add(offset).cast::<T>(), self.any.info.width())
        })
    }

    /// The region of interest of `extents` at `start`.
    pub fn region<const R: usize>(self, start: [usize; R], extents: [usize; R]) -> Result<Self, InvalidTensor> {
        let (offset, info) = self.any.info.region(&start, &extents)?;
        // SAFETY: `offset` is that of an element of this view, or 0.
        Ok(ViewMut::over(unsafe { self.any.base.add(offset) }, info))
    }

    /// The plane at `index` of the third dimension.
    pub fn plane(self, index: usize) -> Result<Self, InvalidTensor> {
        let shape = self.any.info.shape();
        self.region([0, 0, index], [shape.width(), shape.height(), 1])
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

#[cfg(test)]
mod tests;
