//! Images in a device's memory, and the way there and back.
//!
//! A view is packed row by row, because the bytes between its rows may belong to others. A caller who owns a buffer
//! describes any layout of it with [`DeviceImage::with_layout`].

use super::{buffer::Buffer, context::Context, error::OpenClError};
use crate::{
    execute::broadcast_place,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    region::ValidRegion,
    view::{AnyView, AnyViewMut},
};
use std::{sync::Arc, vec, vec::Vec};

/// A tensor in a device's memory. Its clones share the memory.
#[derive(Clone, Debug)]
pub struct DeviceImage {
    buffer: Arc<Buffer>,
    offset: usize,
    info: TensorInfo,
}

impl DeviceImage {
    /// A tensor of the type and shape of `info`, without gaps, of unknown contents.
    pub fn new(context: &Context, info: &TensorInfo) -> Result<Self, OpenClError> {
        let info = packed(info)?;
        let buffer = Buffer::new(context, info.size_in_bytes())?;
        Self::with_layout(Arc::new(buffer), 0, info)
    }

    /// A copy of `view`, without gaps.
    pub fn upload(context: &Context, view: &AnyView<'_>) -> Result<Self, OpenClError> {
        let info = packed(view.info())?;
        let buffer = Buffer::from_bytes(context, &pack(view))?;
        Self::with_layout(Arc::new(buffer), 0, info)
    }

    /// A copy of `view` that is broadcast to `shape`, without gaps.
    pub(super) fn upload_broadcast(context: &Context, view: &AnyView<'_>, shape: Shape) -> Result<Self, OpenClError> {
        let from = view.info();
        let info = TensorInfo::new(from.element(), from.channels(), &shape.extents()).map_err(OpenClError::Tensor)?;
        if from.shape() == shape {
            return Self::upload(context, view);
        }
        let mut bytes = Vec::with_capacity(info.size_in_bytes());
        let repeats = if from.width() == shape.width() { 1 } else { shape.width() };
        for offset in rows(&shape).filter_map(|at| from.offset(&broadcast_place(from, at))) {
            for _ in 0..repeats {
                bytes.extend_from_slice(row_bytes(view, offset));
            }
        }
        let buffer = Buffer::from_bytes(context, &bytes)?;
        Self::with_layout(Arc::new(buffer), 0, info)
    }

    /// The tensor that `info` describes, `offset` bytes behind the start of `buffer`.
    ///
    /// Rows must be fewer than 2^31 bytes apart, and planes (beyond the third dimension too) equally far.
    pub fn with_layout(buffer: Arc<Buffer>, offset: usize, info: TensorInfo) -> Result<Self, OpenClError> {
        let length = info.size_in_bytes();
        if offset.checked_add(length).is_none_or(|end| end > buffer.len()) {
            return Err(OpenClError::OutOfRange { offset, length, capacity: buffer.len() });
        }
        if i32::try_from(info.stride(1)).is_err() {
            return Err(OpenClError::RowStride { found: info.stride(1) });
        }
        if !offset.is_multiple_of(info.element().size()) {
            return Err(OpenClError::Misaligned { offset, alignment: info.element().size() });
        }
        check_planes(&info)?;
        Ok(Self { buffer, offset, info })
    }

    /// What is known of it: type, shape, and strides on the device.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// The memory that it lies in.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// Bytes from the start of the memory to the first element.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Copies the elements of `region` to the same coordinates of `view`, of the same shape and type; nothing else of
    /// `view` is touched.
    pub fn download(&self, region: &ValidRegion, view: &mut AnyViewMut<'_>) -> Result<(), OpenClError> {
        self.expect("destination", view.info())?;
        let region = clip(region, &self.info.shape());
        if region.is_empty() {
            return Ok(());
        }
        let mut bytes = vec![0; self.info.size_in_bytes()];
        self.buffer.read(self.offset, &mut bytes)?;
        unpack(&bytes, &self.info, &region, view);
        Ok(())
    }

    /// Checks that this image is of the type and shape of `info`, as `argument` must be.
    pub(super) fn expect(&self, argument: &'static str, info: &TensorInfo) -> Result<(), OpenClError> {
        let of = |info: &TensorInfo| (info.shape(), info.element(), info.channels());
        let ((found, found_element, _), (expected, expected_element, _)) = (of(&self.info), of(info));
        if of(&self.info) == of(info) {
            return Ok(());
        }
        Err(OpenClError::Image { argument, found, expected, found_element, expected_element })
    }

    /// Whether both use some byte of one memory.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let span = |image: &Self| (image.offset, image.offset + image.info.size_in_bytes());
        let ((a, b), (c, d)) = (span(self), span(other));
        Arc::ptr_eq(&self.buffer, &other.buffer) && a < d && c < b
    }

    /// Bytes from plane to plane.
    pub(super) fn plane_stride(&self) -> usize {
        plane_dimension(&self.info).map_or(0, |dimension| self.info.stride(dimension))
    }
}

/// The type and shape of `info`, without gaps.
fn packed(info: &TensorInfo) -> Result<TensorInfo, OpenClError> {
    TensorInfo::new(info.element(), info.channels(), &info.shape().extents()).map_err(OpenClError::Tensor)
}

/// The dimension along which planes are counted: the first beyond the rows that has more than one.
fn plane_dimension(info: &TensorInfo) -> Option<usize> {
    (2..MAX_DIMENSIONS).find(|dimension| info.shape().extent(*dimension) > 1)
}

/// Planes must be equally far apart, in whichever dimension they are counted.
fn check_planes(info: &TensorInfo) -> Result<(), OpenClError> {
    let Some(first) = plane_dimension(info) else { return Ok(()) };
    let mut expected = info.stride(first);
    for dimension in first..MAX_DIMENSIONS {
        let extent = info.shape().extent(dimension);
        if extent > 1 && info.stride(dimension) != expected {
            return Err(OpenClError::PlaneStride { dimension, found: info.stride(dimension), expected });
        }
        expected = expected.saturating_mul(extent);
    }
    Ok(())
}

/// The rows of a tensor: the coordinates of each one's first element, the last dimension slowest.
pub(super) fn rows(shape: &Shape) -> impl Iterator<Item = [usize; MAX_DIMENSIONS]> {
    let extents = shape.extents();
    let count = if shape.is_empty() { 0 } else { extents[1..].iter().product() };
    (0..count).map(move |row| {
        let mut left = row;
        let mut at = [0; MAX_DIMENSIONS];
        for dimension in 1..MAX_DIMENSIONS {
            at[dimension] = left % extents[dimension];
            left /= extents[dimension];
        }
        at
    })
}

/// The elements of `view`, row after row.
fn pack(view: &AnyView<'_>) -> Vec<u8> {
    let info = view.info();
    let mut bytes = Vec::with_capacity(info.size_in_bytes());
    for offset in rows(&info.shape()).filter_map(|at| info.offset(&at)) {
        bytes.extend_from_slice(row_bytes(view, offset));
    }
    bytes
}

/// The row whose first element lies at `offset`.
fn row_bytes<'a>(view: &AnyView<'a>, offset: usize) -> &'a [u8] {
    let length = view.info().width() * view.info().pixel_size();
    // SAFETY: a row's elements lie side by side and are readable.
    unsafe { core::slice::from_raw_parts(view.as_ptr().add(offset), length) }
}

/// Copies the rows of `region` from `bytes`, laid out as `info` says, to `view`.
fn unpack(bytes: &[u8], info: &TensorInfo, region: &ValidRegion, view: &mut AnyViewMut<'_>) {
    let target = *view.info();
    let length = (region.end[0] - region.start[0]) * info.pixel_size();
    for mut at in rows(&info.shape()) {
        at[0] = region.start[0];
        if !region.contains(&at) {
            continue;
        }
        if let (Some(from), Some(to)) = (info.offset(&at), target.offset(&at)) {
            // SAFETY: both ranges are elements of one row of a tensor of this shape, which `view` borrows exclusively.
            unsafe {
                core::ptr::copy_nonoverlapping(bytes.as_ptr().add(from), view.as_mut_ptr().add(to), length);
            }
        }
    }
}

/// The part of `region` inside `shape`.
fn clip(region: &ValidRegion, shape: &Shape) -> ValidRegion {
    let extents = shape.extents();
    let mut region = *region;
    for (dimension, extent) in extents.iter().enumerate() {
        region.end[dimension] = region.end[dimension].min(*extent);
    }
    region
}
