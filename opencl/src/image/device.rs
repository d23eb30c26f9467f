//! A tensor in a buffer on a device: its layout, and how a kernel finds its elements.

use crate::{buffer::Buffer, context::Context, error::OpenClError, format::FloatFormat};
use std::{string::ToString, sync::Arc};
use windrow_runtime::{
    info::{InvalidTensor, MAX_DIMENSIONS, Shape, TensorInfo},
    region::ValidRegion,
};

/// A tensor in a device's memory. Its clones share the memory.
#[derive(Clone, Debug)]
pub struct DeviceImage {
    pub(super) buffer: Arc<Buffer>,
    pub(super) offset: usize,
    // Strides as if floats had 32 bits: see `bytes`.
    pub(super) info: TensorInfo,
    pub(super) format: FloatFormat,
    pub(super) place: Place,
}

/// How an entry finds the elements: see [`windrow_runtime::code::OpenClEntry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub row: i32,
    pub plane: i64,
    pub width: i32,
    pub height: i32,
}

impl DeviceImage {
    /// A tensor of the type and shape of `info`, without gaps, of unknown contents.
    pub fn new(context: &Context, info: &TensorInfo) -> Result<Self, OpenClError> {
        Self::new_as(context, info, FloatFormat::F32)
    }

    /// The same; floats lie in it as `format` says.
    pub fn new_as(context: &Context, info: &TensorInfo, format: FloatFormat) -> Result<Self, OpenClError> {
        let info = packed(info, info.shape())?;
        let buffer = Buffer::new(context, format.of(info.element()).bytes(info.size_in_bytes()))?;
        Self::with_layout_as(Arc::new(buffer), 0, info, format)
    }

    /// The tensor that `info` describes, `offset` bytes behind the start of `buffer`.
    ///
    /// Rows must be fewer than 2^31 bytes apart, and planes (beyond the third dimension too) equally far.
    pub fn with_layout(buffer: Arc<Buffer>, offset: usize, info: TensorInfo) -> Result<Self, OpenClError> {
        Self::with_layout_as(buffer, offset, info, FloatFormat::F32)
    }

    /// The same; floats lie in it as `format` says. In halves all distances of `info` are half as long on the device; `offset`
    /// is counted there.
    pub fn with_layout_as(
        buffer: Arc<Buffer>,
        offset: usize,
        info: TensorInfo,
        format: FloatFormat,
    ) -> Result<Self, OpenClError> {
        let format = format.of(info.element());
        let length = format.bytes(info.size_in_bytes());
        if offset.checked_add(length).is_none_or(|end| end > buffer.len()) {
            return Err(OpenClError::OutOfRange { offset, length, capacity: buffer.len() });
        }
        let Ok(row) = i32::try_from(format.bytes(info.row_stride())) else {
            return Err(OpenClError::RowStride { found: format.bytes(info.row_stride()) });
        };
        let alignment = format.bytes(info.element().size());
        if !offset.is_multiple_of(alignment) {
            return Err(OpenClError::Misaligned { offset, alignment });
        }
        check_planes(&info)?;
        let plane = plane_dimension(&info).map_or(0, |dimension| format.bytes(info.inner_stride(dimension))) as i64;
        let place = Place { row, plane, width: info.width() as i32, height: info.height() as i32 };
        Ok(Self { buffer, offset, info, format, place })
    }

    /// The elements of a region, where they are; its start and extents are outermost first.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<Self, OpenClError> {
        let (offset, info) = self.info.region(start, extents).map_err(OpenClError::Tensor)?;
        Self::with_layout_as(self.buffer.clone(), self.offset + self.bytes(offset), info, self.format)
    }

    /// What is known of it: type, shape, and strides on the device, which are half as long where floats lie in halves.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Notes where its elements are valid.
    pub(crate) fn set_valid_region(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.info = self.info.with_valid_region(region)?;
        Ok(())
    }

    /// How its floats lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Bytes from its first element to behind the last, on the device.
    pub fn size_in_bytes(&self) -> usize {
        self.bytes(self.info.size_in_bytes())
    }

    /// The memory that it lies in.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// Bytes from the start of the memory to the first element.
    pub fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Checks that this image is of the type and shape of `info`, as `argument` must be.
    pub(crate) fn expect(&self, argument: &'static str, info: &TensorInfo) -> Result<(), OpenClError> {
        if self.info.is_like(info) {
            return Ok(());
        }
        let of = |info: &TensorInfo| (info.shape(), info.element());
        let ((found, found_element), (expected, expected_element)) = (of(&self.info), of(info));
        Err(OpenClError::Image { argument, found, expected, found_element, expected_element })
    }

    /// Checks that its floats lie in memory as its user takes them.
    pub(crate) fn expect_format(&self, argument: &str, expected: FloatFormat) -> Result<(), OpenClError> {
        let expected = expected.of(self.info.element());
        if self.format == expected {
            return Ok(());
        }
        Err(OpenClError::FloatFormat { argument: argument.to_string(), found: self.format, expected })
    }

    /// Bytes on the device of what takes so many by `info`.
    pub(super) fn bytes(&self, single: usize) -> usize {
        self.format.bytes(single)
    }

    /// Whether both use some byte of one memory.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let span = |image: &Self| {
            let (block, first) = image.buffer.place();
            (block, first + image.offset, first + image.offset + image.size_in_bytes())
        };
        let ((one, a, b), (two, c, d)) = (span(self), span(other));
        one == two && a < d && c < b
    }
}

/// The type of `info`, in `shape` without gaps.
pub(super) fn packed(info: &TensorInfo, shape: Shape) -> Result<TensorInfo, OpenClError> {
    TensorInfo::new(info.element(), info.channels(), shape.extents()).map_err(OpenClError::Tensor)
}

/// The dimension along which planes are counted: the first beyond the rows that has more than one.
fn plane_dimension(info: &TensorInfo) -> Option<usize> {
    (2..MAX_DIMENSIONS).find(|dimension| info.shape().inner_extent(*dimension) > 1)
}

/// Planes must be equally far apart, in whichever dimension they are counted.
fn check_planes(info: &TensorInfo) -> Result<(), OpenClError> {
    let Some(first) = plane_dimension(info) else { return Ok(()) };
    let mut expected = info.inner_stride(first);
    for dimension in first..MAX_DIMENSIONS {
        let extent = info.shape().inner_extent(dimension);
        if extent > 1 && info.inner_stride(dimension) != expected {
            let number = info.shape().outer_index(dimension);
            return Err(OpenClError::PlaneStride { dimension: number, found: info.inner_stride(dimension), expected });
        }
        expected = expected.saturating_mul(extent);
    }
    Ok(())
}

/// The planes of a tensor: the coordinates of each one's first element, innermost first.
pub(super) fn planes(shape: &Shape) -> impl Iterator<Item = [usize; MAX_DIMENSIONS]> + use<> {
    let extents = shape.inner_extents();
    let count = if shape.is_empty() { 0 } else { shape.planes() };
    (0..count).map(move |plane| {
        let mut left = plane;
        let mut at = [0; MAX_DIMENSIONS];
        for dimension in 2..MAX_DIMENSIONS {
            at[dimension] = left % extents[dimension];
            left /= extents[dimension];
        }
        at
    })
}
