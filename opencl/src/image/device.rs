//! A tensor in a buffer on a device: its layout, and how a kernel finds its elements.

use crate::{Buffer, Context, DeviceMemoryError, FloatFormat, OpenClError};
use std::sync::Arc;
use windrow_runtime::{
    element::ElementType,
    error::{InvalidConfiguration, RunError},
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
    /// Returns a tensor of the type and shape of `info`, without gaps, of unknown contents.
    pub fn new(context: &Context, info: &TensorInfo) -> Result<Self, OpenClError> {
        Self::new_as(context, info, FloatFormat::F32)
    }

    /// Makes an image whose floats are in the format `format`.
    pub fn new_as(context: &Context, info: &TensorInfo, format: FloatFormat) -> Result<Self, OpenClError> {
        let info = packed(info, info.shape())?;
        let buffer = Buffer::new(context, format.of(info.dtype()).bytes(info.size_in_bytes()))?;
        Self::with_layout_as(Arc::new(buffer), 0, info, format)
    }

    /// Returns the tensor that `info` describes, `offset` bytes behind the start of `buffer`.
    ///
    /// Rows must be fewer than 2^31 bytes apart, and planes (beyond the third dimension too) equally far.
    pub fn with_layout(buffer: Arc<Buffer>, offset: usize, info: TensorInfo) -> Result<Self, OpenClError> {
        Self::with_layout_as(buffer, offset, info, FloatFormat::F32)
    }

    /// Makes an image of this layout whose floats are in the format `format`. In halves all distances of `info` are
    /// half as long on the device; `offset` is counted there.
    pub fn with_layout_as(
        buffer: Arc<Buffer>,
        offset: usize,
        info: TensorInfo,
        format: FloatFormat,
    ) -> Result<Self, OpenClError> {
        let element = element_of(&info)?;
        check_plain("the image", &info)?;
        check_forward(&info)?;
        let format = format.of(element);
        let length = format.bytes(info.size_in_bytes());
        if offset.checked_add(length).is_none_or(|end| end > buffer.len()) {
            return Err(DeviceMemoryError::OutOfRange { offset, length, capacity: buffer.len() }.into());
        }
        let Ok(row) = i32::try_from(format.bytes(row_bytes(&info))) else {
            return Err(OpenClError::RowStride { found: format.bytes(row_bytes(&info)) });
        };
        let alignment = format.bytes(element.size());
        if !offset.is_multiple_of(alignment) {
            return Err(DeviceMemoryError::Misaligned { offset, alignment }.into());
        }
        check_planes(&info)?;
        let plane = plane_dimension(&info).map_or(0, |dimension| format.bytes(stride_of(&info, dimension))) as i64;
        let place = Place { row, plane, width: info.width() as i32, height: info.height() as i32 };
        Ok(Self { buffer, offset, info, format, place })
    }

    /// Returns the elements of a region, where they are; its start and extents are outermost first.
    pub fn region(&self, start: &[usize], extents: &[usize]) -> Result<Self, OpenClError> {
        let (offset, info) = self.info.region(start, extents)?;
        Self::with_layout_as(self.buffer.clone(), self.offset + self.bytes(offset.unsigned_abs()), info, self.format)
    }

    /// Returns what is known of the image: type, shape, and strides on the device, which are half as long where floats lie in
    /// halves.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Notes where its elements are valid.
    pub(crate) fn set_valid_region(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.info = self.info.with_valid_region(region)?;
        Ok(())
    }

    /// Returns how its floats lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Returns the number of bytes from its first element to behind the last, on the device.
    pub fn size_in_bytes(&self) -> usize {
        self.bytes(self.info.size_in_bytes())
    }

    /// Returns the memory that it lies in.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// Returns the number of bytes from the start of the memory to the first element.
    pub fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Checks that this image is of the type and shape of `info`, as `argument` must be.
    pub(crate) fn expect(&self, argument: &'static str, info: &TensorInfo) -> Result<(), OpenClError> {
        if self.info.is_like(info) {
            return check_plain(argument, info);
        }
        let of = |info: &TensorInfo| (info.shape(), info.dtype());
        let ((found, found_element), (expected, expected_element)) = (of(&self.info), of(info));
        Err(OpenClError::Image { argument, found, expected, found_element, expected_element })
    }

    /// Checks that its floats lie in memory as its user takes them.
    pub(crate) fn expect_format(&self, argument: &str, expected: FloatFormat) -> Result<(), OpenClError> {
        let expected = expected.of(self.info.dtype());
        if self.format == expected {
            return Ok(());
        }
        Err(OpenClError::FloatFormat { argument: argument.to_string(), found: self.format, expected })
    }

    /// Bytes on the device of what takes `single` bytes by `info`.
    pub(super) fn bytes(&self, single: usize) -> usize {
        self.format.bytes(single)
    }

    /// Whether both use some byte of one memory.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.overlaps_bytes(&other.buffer, other.offset, other.size_in_bytes())
    }

    /// Whether it uses one of the `length` bytes of `buffer` from `offset` on.
    pub(crate) fn overlaps_bytes(&self, buffer: &Buffer, offset: usize, length: usize) -> bool {
        let ((own, first), (other, start)) = (self.buffer.place(), buffer.place());
        let (first, start) = (first + self.offset, start + offset);
        own == other && first < start + length && start < first + self.size_in_bytes()
    }
}

/// The type of `info`, in `shape` without gaps.
pub(crate) fn packed(info: &TensorInfo, shape: Shape) -> Result<TensorInfo, OpenClError> {
    check_plain("the image", info)?;
    TensorInfo::new(info.dtype(), info.channels(), &shape.extents()).map_err(OpenClError::Tensor)
}

/// Elements on a device stand for themselves: no kernel there reads a quantization, and none is dropped.
fn check_plain(argument: &'static str, info: &TensorInfo) -> Result<(), OpenClError> {
    match info.quantization() {
        Some(found) => Err(RunError::from(InvalidConfiguration::Quantization { argument, found }).into()),
        None => Ok(()),
    }
}

/// The type of a channel, which must be one that kernels take.
pub(crate) fn element_of(info: &TensorInfo) -> Result<ElementType, OpenClError> {
    info.dtype().element().ok_or(OpenClError::ElementType { found: info.dtype() })
}

/// Elements on a device lie side by side in each row, and rows and planes one after another.
fn check_forward(info: &TensorInfo) -> Result<(), OpenClError> {
    let layout = info.layout();
    let refused = |dimension: usize| {
        let (extent, found) = (layout.inner_extent(dimension), layout.inner_stride(dimension));
        let is_forward = if dimension == 0 { layout.has_contiguous_rows() } else { extent <= 1 || found > 0 };
        (!is_forward).then_some(OpenClError::Stride { dimension: layout.shape().outer_index(dimension), found })
    };
    match (0..MAX_DIMENSIONS).find_map(refused) {
        Some(error) => Err(error),
        None => layout.expect_disjoint().map_err(OpenClError::Tensor),
    }
}

/// A stride of an image on a device, none of which goes backwards (`check_forward`).
fn stride_of(info: &TensorInfo, dimension: usize) -> usize {
    info.inner_stride(dimension).unsigned_abs()
}

/// Bytes from row to row of an image on a device.
pub(crate) fn row_bytes(info: &TensorInfo) -> usize {
    stride_of(info, 1)
}

/// The dimension along which planes are counted: the first beyond the rows that has more than one.
fn plane_dimension(info: &TensorInfo) -> Option<usize> {
    (2..MAX_DIMENSIONS).find(|dimension| info.shape().inner_extent(*dimension) > 1)
}

/// Planes must be equally far apart, in whichever dimension they are counted.
fn check_planes(info: &TensorInfo) -> Result<(), OpenClError> {
    let Some(first) = plane_dimension(info) else { return Ok(()) };
    let mut expected = stride_of(info, first);
    for dimension in first..MAX_DIMENSIONS {
        let extent = info.shape().inner_extent(dimension);
        let found = stride_of(info, dimension);
        if extent > 1 && found != expected {
            return Err(OpenClError::PlaneStride { dimension: info.shape().outer_index(dimension), found, expected });
        }
        expected = expected.saturating_mul(extent);
    }
    Ok(())
}
