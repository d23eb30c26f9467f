//! Views of the arrays of the crate `ndarray`, and the way back: nothing is copied.
//!
//! Axes are the other way round: an array's last axis is a tensor's first dimension. Elements may be pixels
//! (`Array2<[u8; 3]>`); [`pixels`] takes an array whose last axis is the channels.

use ::ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, Ix3, IxDyn, ShapeBuilder};
use core::ptr::NonNull;
use std::vec::Vec;

use crate::{
    element::{Element, Primitive},
    info::{InvalidTensor, MAX_DIMENSIONS, TensorInfo},
    view::{View, ViewMut},
};

/// The elements of an array, to read.
///
/// ```
/// use ndarray::{Array2, s};
/// use windrow::interop::ndarray::view;
///
/// let array = Array2::from_shape_fn((3, 5), |(y, x)| (10 * y + x) as u8);
/// let image = view(array.slice(s![1.., 2..]))?;
/// assert_eq!((image.info().width(), image.get([2, 1])), (3, Some(24)));
/// assert!(view(array.t()).is_err(), "rows whose elements lie apart");
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn view<T: Element, D: Dimension>(array: ArrayView<'_, T, D>) -> Result<View<'_, T>, InvalidTensor> {
    let info = info::<T>(array.shape(), array.strides())?;
    Ok(View::over(first(array.as_ptr().cast_mut()), info))
}

/// The elements of an array, to write.
pub fn view_mut<T: Element, D: Dimension>(mut array: ArrayViewMut<'_, T, D>) -> Result<ViewMut<'_, T>, InvalidTensor> {
    let info = info::<T>(array.shape(), array.strides())?;
    Ok(ViewMut::over(first(array.as_mut_ptr()), info))
}

/// The pixels of an array of rows, columns and channels, whose channels lie side by side.
///
/// ```
/// use ndarray::Array3;
/// use windrow::interop::ndarray::pixels;
///
/// let array = Array3::from_shape_fn((2, 4, 3), |(y, x, c)| (100 * y + 10 * x + c) as u8);
/// assert_eq!(pixels::<u8, 3>(array.view())?.get([3, 1]), Some([130, 131, 132]));
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
    Ok(View::over(first(array.as_ptr().cast_mut()), info))
}

/// The view as an array, its first dimension last; `None` where rows start between elements.
///
/// ```
/// use windrow::{Tensor, interop::ndarray::array};
///
/// let tensor = Tensor::from_fn([5, 3], |x, y, _| (10 * y + x) as i16)?;
/// let crop = tensor.view().region([1, 1], [3, 2])?;
/// assert_eq!(array(crop).map(|array| (array.shape().to_vec(), array[[1, 2]])), Some((vec![2, 3], 23)));
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub fn array<T: Element>(view: View<'_, T>) -> Option<ArrayView<'_, T, IxDyn>> {
    let (shape, strides) = axes::<T>(view.info())?;
    // SAFETY: the elements at these strides are the view's, borrowed as long, aligned for `T`; they don't overlap.
    Some(unsafe { ArrayView::from_shape_ptr(IxDyn(&shape).strides(IxDyn(&strides)), view.any().as_ptr().cast()) })
}

/// The view as an array to write.
pub fn array_mut<T: Element>(view: ViewMut<'_, T>) -> Option<ArrayViewMut<'_, T, IxDyn>> {
    let (shape, strides) = axes::<T>(view.info())?;
    // SAFETY: as in `array`, and the view is borrowed exclusively.
    Some(unsafe { ArrayViewMut::from_shape_ptr(IxDyn(&shape).strides(IxDyn(&strides)), view.first_mut().cast()) })
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
    let (mut extents, mut bytes) = ([1; MAX_DIMENSIONS], [size_of::<T>(); MAX_DIMENSIONS]);
    let mut inside = size_of::<T>();
    for (dimension, (&extent, &stride)) in shape.iter().rev().zip(strides.iter().rev()).enumerate() {
        extents[dimension] = extent;
        // The stride along one element says nothing.
        bytes[dimension] = match usize::try_from(stride) {
            _ if extent <= 1 => inside,
            Ok(stride) => stride.checked_mul(unit).ok_or(InvalidTensor::TooLarge { dimension })?,
            Err(_) => return Err(InvalidTensor::Backwards { dimension, found: stride }),
        };
        inside = bytes[dimension].checked_mul(extent.max(1)).ok_or(InvalidTensor::TooLarge { dimension })?;
    }
    let rank = shape.len().max(1);
    TensorInfo::with_strides(T::TYPE, T::CHANNELS, &extents[..rank], &bytes[..rank])
}

/// Shape and strides in elements, outermost first.
fn axes<T: Element>(info: &TensorInfo) -> Option<(Vec<usize>, Vec<usize>)> {
    let dimensions = || (0..info.shape().rank()).rev();
    let stride = |d: usize| info.stride(d).is_multiple_of(size_of::<T>()).then(|| info.stride(d) / size_of::<T>());
    // `ndarray` counts the elements of all axes that are not empty.
    let shape: Vec<usize> = dimensions().map(|d| info.shape().extent(d)).collect();
    Some((shape, dimensions().map(stride).collect::<Option<_>>()?))
}
