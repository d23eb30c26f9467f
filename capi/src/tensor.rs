//! Tensors in the caller's memory.

use std::ffi::c_void;

use windrow::{AnyView, AnyViewMut, TensorInfo};

use crate::{
    status::{Failure, WindrowStatus, guard},
    types::{WINDROW_MAX_RANK, dtype, number},
};

/// A tensor in memory of the caller's: extents and strides are outermost first, as `{height, width}`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowTensor {
    /// The first element, the one at coordinates 0. It may be null where only the metadata is asked for.
    pub data: *mut c_void,
    /// The `WindrowType` of a channel. `WINDROW_TYPE_NONE` among outputs: this one is left out.
    pub element: u32,
    /// Channels of an element that lie beside each other: 3 for interleaved RGB, 1 for grey.
    pub channels: u32,
    /// The number of dimensions, at most `WINDROW_MAX_RANK`.
    pub rank: u32,
    /// The extents, `rank` of them.
    pub shape: [usize; WINDROW_MAX_RANK],
    /// Bytes from one element to the next of each dimension, `rank` of them: negative ones go backwards, and in what is only
    /// read 0 repeats an element. Each is a multiple of the type's size.
    pub strides: [isize; WINDROW_MAX_RANK],
}

impl WindrowTensor {
    /// An output left out.
    pub const NONE: WindrowTensor = WindrowTensor {
        data: std::ptr::null_mut(),
        element: 0,
        channels: 0,
        rank: 0,
        shape: [0; WINDROW_MAX_RANK],
        strides: [0; WINDROW_MAX_RANK],
    };

    /// A tensor with this metadata.
    pub(crate) fn of(info: &TensorInfo, data: *mut c_void) -> Self {
        let (extents, mut shape, mut strides) = (info.shape().extents(), [0; WINDROW_MAX_RANK], [0; WINDROW_MAX_RANK]);
        shape.iter_mut().zip(extents.iter()).for_each(|(place, &extent)| *place = extent);
        strides.iter_mut().zip(info.strides()).for_each(|(place, &stride)| *place = stride);
        let (element, rank) = (number(info.dtype()), extents.len() as u32);
        Self { data, element, channels: info.channels(), rank, shape, strides }
    }

    /// The metadata, checked.
    pub(crate) fn info(&self) -> Result<TensorInfo, Failure> {
        let rank = self.rank as usize;
        let (Some(shape), Some(strides)) = (self.shape.get(..rank), self.strides.get(..rank)) else {
            return Err(Failure::number(format!("the rank is {rank}, at most {WINDROW_MAX_RANK} is possible")));
        };
        Ok(TensorInfo::with_strides(dtype(self.element)?, self.channels, shape, strides)?)
    }

    /// The metadata of an output; `None` for one left out.
    pub(crate) fn output_info(&self) -> Result<Option<TensorInfo>, Failure> {
        if self.element == 0 { Ok(None) } else { self.info().map(Some) }
    }

    /// The tensor, to read.
    ///
    /// # Safety
    /// For `'a`, every element is readable, and nothing writes one, except a run to which the same tensor is given as an output.
    pub(crate) unsafe fn view<'a>(&self) -> Result<AnyView<'a>, Failure> {
        let info = self.info()?;
        let lowest = self.lowest(&info)?;
        // SAFETY: the caller's promise; the bytes are those from the lowest to the highest element.
        Ok(unsafe { AnyView::import(lowest, info.buffer_size(), info) }?)
    }

    /// The tensor, to write; `None` for an output left out.
    ///
    /// # Safety
    /// For `'a`, every element is readable and writable, and nothing else touches one, except views of the same tensor that are
    /// given to the same run as inputs.
    pub(crate) unsafe fn view_mut<'a>(&self) -> Result<Option<AnyViewMut<'a>>, Failure> {
        let Some(info) = self.output_info()? else { return Ok(None) };
        let lowest = self.lowest(&info)?;
        // SAFETY: the caller's promise; the bytes are those from the lowest to the highest element.
        Ok(Some(unsafe { AnyViewMut::import(lowest, info.buffer_size(), info) }?))
    }

    /// The lowest byte that belongs to an element.
    fn lowest(&self, info: &TensorInfo) -> Result<*mut u8, Failure> {
        let null =
            || Failure::new(WindrowStatus::NullPointer, format!("`data` of a tensor of {} is null", info.shape()));
        let first = if self.data.is_null() { return Err(null()) } else { self.data.cast::<u8>() };
        let (start, before) = (first.addr(), info.first_element());
        let is_inside =
            start.checked_sub(before).is_some_and(|lowest| lowest.checked_add(info.size_in_bytes()).is_some());
        if !is_inside {
            return Err(Failure::number(format!("a tensor of {} leaves the address space", info.shape())));
        }
        Ok(first.wrapping_sub(before))
    }
}

/// Writes a tensor without gaps to `tensor`: its strides follow from the type, the channels and the shape.
///
/// `data` is its first element, or null. Fails where the type or the rank is none, or the size overflows.
///
/// # Safety
/// `shape` has `rank` extents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_tensor_dense(
    data: *mut c_void,
    element: u32,
    channels: u32,
    rank: u32,
    shape: *const usize,
    tensor: *mut WindrowTensor,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let shape = unsafe { slice(shape, rank as usize, "shape") }?;
        if shape.len() > WINDROW_MAX_RANK {
            return Err(Failure::number(format!("the rank is {rank}, at most {WINDROW_MAX_RANK} is possible")));
        }
        let info = TensorInfo::new(dtype(element)?, channels, shape)?;
        // SAFETY: the caller's promise.
        unsafe { put(tensor, WindrowTensor::of(&info, data), "tensor") }
    })
}

/// The elements that a caller's pointer and count stand for; the pointer may be null where there are none.
///
/// # Safety
/// A pointer that is not null points to that many elements, to which nothing writes for `'a`.
pub unsafe fn slice<'a, T>(first: *const T, count: usize, argument: &str) -> Result<&'a [T], Failure> {
    match (count, first.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Failure::null(argument)),
        _ if !first.is_aligned() => Err(Failure::number(format!("`{argument}` is misaligned"))),
        _ if count > isize::MAX as usize / size_of::<T>().max(1) => {
            Err(Failure::number(format!("`{argument}` has {count} elements, more than memory holds")))
        }
        // SAFETY: not null, aligned, and the caller's promise.
        _ => Ok(unsafe { std::slice::from_raw_parts(first, count) }),
    }
}

/// What a caller's pointer points to.
///
/// # Safety
/// A pointer that is not null points to a value, to which nothing writes for `'a`.
pub unsafe fn reference<'a, T>(pointer: *const T, argument: &str) -> Result<&'a T, Failure> {
    if !pointer.is_null() && !pointer.is_aligned() {
        return Err(Failure::number(format!("`{argument}` is misaligned")));
    }
    // SAFETY: aligned, and the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(argument))
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// A pointer that is not null is writable.
pub unsafe fn put<T>(place: *mut T, value: T, argument: &str) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::null(argument));
    }
    // SAFETY: not null, and the caller's promise; it need not be aligned.
    unsafe { place.write_unaligned(value) };
    Ok(())
}
