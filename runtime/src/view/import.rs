//! Views of memory that a host owns, described by a [`TensorInfo`]: size and alignment are checked, nothing is copied.
//!
//! That the elements of a view to write don't overlap is checked here; that tensors don't, by every run.

use core::ptr::NonNull;

use super::{AnyView, AnyViewMut, View, ViewMut};
use crate::{
    element::Element,
    info::{InvalidTensor, TensorInfo},
};

impl AnyView<'_> {
    /// Returns the tensor that `info` describes in `length` bytes of the host's at `memory`.
    ///
    /// # Safety
    /// For `'a`, the bytes are readable, and nothing writes an element of `info`.
    pub unsafe fn import(memory: *const u8, length: usize, info: TensorInfo) -> Result<Self, InvalidTensor> {
        let base = NonNull::new(memory.cast_mut()).ok_or(InvalidTensor::Null { expected: info.buffer_size() })?;
        let first = imported(base, length, &info)?;
        // SAFETY: the elements lie in the caller's bytes.
        Ok(unsafe { AnyView::from_raw(first, info) })
    }
}

impl AnyViewMut<'_> {
    /// Returns the tensor that `info` describes in `length` bytes of the host's at `memory`.
    ///
    /// # Safety
    /// For `'a`, the bytes are readable and writable, and nothing else touches an element of `info`.
    pub unsafe fn import(memory: *mut u8, length: usize, info: TensorInfo) -> Result<Self, InvalidTensor> {
        let base = NonNull::new(memory).ok_or(InvalidTensor::Null { expected: info.buffer_size() })?;
        info.layout().expect_disjoint()?;
        let first = imported(base, length, &info)?;
        // SAFETY: the elements lie in the caller's bytes, and don't overlap.
        Ok(unsafe { AnyViewMut::from_raw(first, info) })
    }
}

impl<'a, T: Element> View<'a, T> {
    /// Returns the tensor that `info` describes in memory of the host's, padding, gaps and first element as it says.
    ///
    /// ```
    /// use windrow::{Padding, TensorInfo, View};
    ///
    /// let bytes = [9u8, 9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9];
    /// let info = TensorInfo::of::<u8>(&[2, 2])?.with_padding(Padding { left: 2, top: 1, ..Padding::default() })?;
    /// let image = View::<u8>::import(&bytes, info)?;
    /// assert_eq!(image.get([1, 1]), Some(4));
    /// assert!(View::<u8>::import(&bytes[..11], info).is_err());
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn import(bytes: &'a [u8], info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        let first = imported(NonNull::from(bytes).cast(), bytes.len(), &info)?;
        // SAFETY: the elements lie in the slice, aligned.
        unsafe { AnyView::from_raw(first, info) }.typed()
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// Returns the tensor that `info` describes in memory of the host's, as [`View::import`].
    pub fn import(bytes: &'a mut [u8], info: TensorInfo) -> Result<Self, InvalidTensor> {
        info.expect::<T>()?;
        info.layout().expect_disjoint()?;
        let length = bytes.len();
        let first = imported(NonNull::from(bytes).cast(), length, &info)?;
        // SAFETY: the elements lie in the slice, aligned, and don't overlap.
        unsafe { AnyViewMut::from_raw(first, info) }.typed()
    }
}

/// The first element of `info` in `length` bytes at `base`.
fn imported(base: NonNull<u8>, length: usize, info: &TensorInfo) -> Result<NonNull<u8>, InvalidTensor> {
    let expected = info.buffer_size();
    if length < expected {
        return Err(InvalidTensor::TooShort { found: length, expected });
    }
    // SAFETY: the first element lies inside the buffer, or at its end where there is none.
    let first = unsafe { base.add(info.first_element()) };
    expect_alignment(first.as_ptr(), info)?;
    Ok(first)
}

/// A slice must hold as many elements as the tensor has room for.
#[inline]
pub(super) fn expect_length(found: usize, info: &TensorInfo) -> Result<(), InvalidTensor> {
    let (bytes, pixel) = (info.size_in_bytes(), info.pixel_size());
    match found.checked_mul(pixel) == Some(bytes) {
        true => Ok(()),
        false => Err(InvalidTensor::Length { found, expected: bytes / pixel }),
    }
}

/// The same in bytes, at least.
pub(super) fn expect_bytes(found: usize, info: &TensorInfo) -> Result<(), InvalidTensor> {
    let expected = info.size_in_bytes();
    if found >= expected { Ok(()) } else { Err(InvalidTensor::TooShort { found, expected }) }
}

/// Channels must lie at multiples of their size; strides do anyway.
pub(super) fn expect_alignment(first: *const u8, info: &TensorInfo) -> Result<(), InvalidTensor> {
    let alignment = info.dtype().size();
    let found = first.addr() & (alignment - 1);
    if found == 0 { Ok(()) } else { Err(InvalidTensor::Misaligned { found, alignment }) }
}
