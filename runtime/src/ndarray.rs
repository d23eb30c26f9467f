//! Views of the arrays of the crate `ndarray`, and the way back: nothing is copied.
//!
//! Axes are a tensor's dimensions, in the same order; their strides may be anything that the array has. Elements may be pixels (`Array2<[u8; 3]>`); [`pixels`] takes an array whose
//! last axis is the channels.

use ::ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, Ix3, IxDyn, ShapeBuilder};
use core::ptr::NonNull;
use std::vec::Vec;

use crate::{
    element::{Element, Primitive},
    info::{InvalidTensor, MAX_DIMENSIONS, TensorInfo},
    view::{View, ViewMut},
};

/// Returns the elements of an array, to read.
///
/// ```
/// use ndarray::{Array2, s};
/// use windrow::interop::ndarray::view;
///
/// let array = Array2::from_shape_fn((3, 5), |(y, x)| (10 * y + x) as u8);
/// let image = view(array.slice(s![1.., 2..]))?;
/// assert_eq!((image.info().width(), image.get([1, 2])), (3, Some(24)));
/// assert_eq!(view(array.slice(s![..;-1, ..;2]))?.get([0, 1]), Some(22));
/// assert_eq!(view(array.t())?.get([4, 2]), Some(24));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn view<T: Element, D: Dimension>(array: ArrayView<'_, T, D>) -> Result<View<'_, T>, InvalidTensor> {
    let info = info::<T>(array.shape(), array.strides())?;
    // SAFETY: the elements at the array's strides are borrowed with it.
    Ok(unsafe { View::over(first(array.as_ptr().cast_mut()), info) })
}

/// Returns the elements of an array, to write.
pub fn view_mut<T: Element, D: Dimension>(mut array: ArrayViewMut<'_, T, D>) -> Result<ViewMut<'_, T>, InvalidTensor> {
    let info = info::<T>(array.shape(), array.strides())?;
    info.layout().expect_disjoint()?;
    // SAFETY: the elements at the array's strides are borrowed exclusively with it, and don't overlap.
    Ok(unsafe { ViewMut::over(first(array.as_mut_ptr()), info) })
}

/// Returns the pixels of an array of rows, columns and channels, whose channels lie side by side.
///
/// ```
/// use ndarray::Array3;
/// use windrow::interop::ndarray::pixels;
///
/// let array = Array3::from_shape_fn((2, 4, 3), |(y, x, c)| (100 * y + 10 * x + c) as u8);
/// assert_eq!(pixels::<u8, 3>(array.view())?.get([1, 3]), Some([130, 131, 132]));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn pixels<T: Primitive, const N: usize>(array: ArrayView<'_, T, Ix3>) -> Result<View<'_, [T; N]>, InvalidTensor>
where
    [T; N]: Element<Channel = T>,
{
    let (channels, apart) = (array.len_of(Axis(2)), array.stride_of(Axis(2)));
    if channels != N || (N > 1 && apart != 1) {
        return Err(InvalidTensor::Channels { found: channels as u32 });
    }
    let (shape, strides) = (&array.shape()[..2], &array.strides()[..2]);
    let info = strided::<[T; N]>(shape, strides, size_of::<T>())?;
    // SAFETY: the elements at the array's strides are borrowed with it.
    Ok(unsafe { View::over(first(array.as_ptr().cast_mut()), info) })
}

/// Returns the view as an array; `None` where rows start between elements.
///
/// ```
/// use windrow::{Tensor, interop::ndarray::array};
///
/// let tensor = Tensor::from_fn([3, 5], |[y, x]| (10 * y + x) as i16)?;
/// let crop = tensor.view().region([1, 1], [2, 3])?;
/// assert_eq!(array(crop).map(|array| (array.shape().to_vec(), array[[1, 2]])), Some((vec![2, 3], 23)));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn array<T: Element>(view: View<'_, T>) -> Option<ArrayView<'_, T, IxDyn>> {
    let Axes { shape, strides, flipped, lead } = axes::<T>(view.info())?;
    let lowest = view.any().as_ptr().wrapping_sub(lead).cast();
    // SAFETY: the elements at these strides from the lowest on are the view's, borrowed as long, aligned for `T`.
    let mut array = unsafe { ArrayView::from_shape_ptr(IxDyn(&shape).strides(IxDyn(&strides)), lowest) };
    flipped.into_iter().for_each(|axis| array.invert_axis(Axis(axis)));
    Some(array)
}

/// Returns the view as an array to write.
pub fn array_mut<T: Element>(view: ViewMut<'_, T>) -> Option<ArrayViewMut<'_, T, IxDyn>> {
    let Axes { shape, strides, flipped, lead } = axes::<T>(view.info())?;
    let lowest = view.first_mut().wrapping_sub(lead).cast();
    // SAFETY: as in `array`, the view is borrowed exclusively, and its elements don't overlap.
    let mut array = unsafe { ArrayViewMut::from_shape_ptr(IxDyn(&shape).strides(IxDyn(&strides)), lowest) };
    flipped.into_iter().for_each(|axis| array.invert_axis(Axis(axis)));
    Some(array)
}

/// An array's pointer is never null.
fn first<T>(pointer: *mut T) -> NonNull<u8> {
    NonNull::new(pointer.cast()).unwrap_or(NonNull::dangling())
}

fn info<T: Element>(shape: &[usize], strides: &[isize]) -> Result<TensorInfo, InvalidTensor> {
    strided::<T>(shape, strides, size_of::<T>())
}

/// The metadata of elements `T` whose strides are counted in units of `unit` bytes, axes outermost first.
fn strided<T: Element>(shape: &[usize], strides: &[isize], unit: usize) -> Result<TensorInfo, InvalidTensor> {
    if shape.len() > MAX_DIMENSIONS {
        return Err(InvalidTensor::TooManyDimensions { found: shape.len() });
    }
    let mut bytes = [0; MAX_DIMENSIONS];
    for (dimension, (bytes, &stride)) in bytes.iter_mut().zip(strides).enumerate() {
        // The stride along one element says nothing, and may be out of range.
        *bytes = match stride.checked_mul(unit as isize) {
            Some(stride) => stride,
            None if shape[dimension] <= 1 => 0,
            None => return Err(InvalidTensor::TooLarge { dimension }),
        };
    }
    TensorInfo::with_strides(T::TYPE, T::CHANNELS, shape, &bytes[..shape.len()])
}

/// What `ndarray` makes an array of, which takes no negative stride: the lowest element is the first of this one.
struct Axes {
    shape: Vec<usize>,
    /// In elements.
    strides: Vec<usize>,
    /// The axes that go backwards.
    flipped: Vec<usize>,
    /// Bytes from the lowest element to the view's first.
    lead: usize,
}

fn axes<T: Element>(info: &TensorInfo) -> Option<Axes> {
    let stride = |&stride: &isize| {
        let bytes = stride.unsigned_abs();
        bytes.is_multiple_of(size_of::<T>()).then(|| bytes / size_of::<T>())
    };
    let (shape, strides) = (info.shape().extents().to_vec(), info.strides());
    let flipped = (0..shape.len()).filter(|&axis| strides[axis] < 0 && shape[axis] > 1).collect();
    let strides = strides.iter().map(stride).collect::<Option<_>>()?;
    Some(Axes { shape, strides, flipped, lead: info.layout().lead() })
}
