//! The values of a chain: images that one stage writes and others read, and views of them.

use core::ptr::NonNull;
use std::vec::Vec;

use crate::{
    element::{Element, ElementType},
    info::{InvalidTensor, MAX_DIMENSIONS, Shape, TensorInfo},
    region::ValidRegion,
};

/// An image in a chain: what the builder hands out for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub(super) chain: u64,
    pub(super) index: usize,
}

/// What a chain knows of one of its values: what it is, who writes and reads it, and where it lies.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueDef {
    /// Without gaps, unless it is a view; its valid region is what is computed.
    pub info: TensorInfo,
    /// The caller's image that it is, to read.
    pub input: Option<usize>,
    /// The caller's image that it is, to write.
    pub output: Option<usize>,
    /// The stage that writes it.
    pub writer: Option<usize>,
    /// The last stage that reads it, by itself or by a view of it.
    pub last_read: Option<usize>,
    /// What it is a view of, and how: it has no memory of its own.
    pub view: Option<(usize, ValueView)>,
    /// The value in whose memory it is computed in place.
    pub in_place_of: Option<usize>,
}

impl ValueDef {
    pub(crate) fn new(info: TensorInfo) -> ValueDef {
        let (input, output, writer, last_read, view, in_place_of) = (None, None, None, None, None, None);
        ValueDef { info, input, output, writer, last_read, view, in_place_of }
    }

    /// Returns whether the value is an intermediate, which needs memory: it is neither an input, nor an output, nor a view.
    pub fn is_intermediate(&self) -> bool {
        self.input.is_none() && self.output.is_none() && self.view.is_none()
    }
}

/// A way to look at a value's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueView {
    /// A region: where it starts and its extents, of as many dimensions as the tensor has.
    Region {
        /// The first element.
        start: [usize; MAX_DIMENSIONS],
        /// Its shape.
        shape: Shape,
    },
    /// The same channels in elements of another number of them.
    Regroup {
        /// Channels of an element.
        channels: u32,
    },
    /// The same elements in another shape.
    Reshape {
        /// The shape.
        shape: Shape,
    },
}

impl ValueView {
    pub(crate) fn region(start: &[usize], extents: &[usize]) -> Result<ValueView, InvalidTensor> {
        let mut first = [0; MAX_DIMENSIONS];
        let Some(lacking) = MAX_DIMENSIONS.checked_sub(start.len()) else {
            return Err(InvalidTensor::TooManyDimensions { found: start.len() });
        };
        first[lacking..].copy_from_slice(start);
        Ok(ValueView::Region { start: first, shape: Shape::new(extents)? })
    }

    pub(crate) fn regroup<T: Element>() -> ValueView {
        ValueView::Regroup { channels: T::CHANNELS }
    }

    pub(crate) fn reshape(extents: &[usize]) -> Result<ValueView, InvalidTensor> {
        Ok(ValueView::Reshape { shape: Shape::new(extents)? })
    }

    /// Returns the view of a tensor that lies as `info` says, and its first element's offset in bytes.
    pub fn of(&self, info: &TensorInfo) -> Result<(isize, TensorInfo), InvalidTensor> {
        match self {
            ValueView::Region { start, shape } => info.region(start, &shape.extents()),
            ValueView::Regroup { channels } => Ok((0, regrouped(info, *channels)?)),
            ValueView::Reshape { shape } => Ok((0, reshaped(info, *shape)?)),
        }
    }

    /// The same of one plane of a tensor that lies as `info` says.
    pub(crate) fn of_plane(&self, info: &TensorInfo) -> Result<(isize, TensorInfo), InvalidTensor> {
        match self {
            ValueView::Region { start, shape } => {
                info.region(&start[MAX_DIMENSIONS - 2..], &[shape.height(), shape.width()])
            }
            ValueView::Regroup { .. } | ValueView::Reshape { .. } => self.of(info),
        }
    }

    /// The rows of the viewed tensor before row 0 of the view; `None` where rows of the one are not rows of the other.
    pub(crate) fn first_row(&self) -> Option<usize> {
        match self {
            ValueView::Region { start, .. } => Some(start[MAX_DIMENSIONS - 2]),
            ValueView::Regroup { .. } => Some(0),
            ValueView::Reshape { .. } => None,
        }
    }

    /// Whether it looks at every plane of the viewed tensor.
    pub(crate) fn keeps_planes(&self, of: Shape) -> bool {
        match self {
            ValueView::Region { shape, .. } => (2..MAX_DIMENSIONS).all(|d| shape.inner_extent(d) == of.inner_extent(d)),
            ValueView::Regroup { .. } => true,
            ValueView::Reshape { .. } => false,
        }
    }
}

/// The same rows in elements of `channels` channels: a row holds a whole number of them.
fn regrouped(info: &TensorInfo, channels: u32) -> Result<TensorInfo, InvalidTensor> {
    if !info.layout().has_contiguous_rows() {
        return Err(InvalidTensor::RowStride { found: info.inner_stride(0), expected: info.pixel_size() });
    }
    let (found, size) = (info.channels() as usize, info.dtype().size());
    let of = |columns: usize| columns * found;
    let columns = of(info.width());
    if channels == 0 || !columns.is_multiple_of(channels as usize) {
        return Err(InvalidTensor::Channels { found: channels });
    }
    let (mut extents, mut strides) = (info.shape().extents().to_vec(), info.strides().to_vec());
    if let (Some(extent), Some(stride)) = (extents.last_mut(), strides.last_mut()) {
        (*extent, *stride) = (columns / channels as usize, (size * channels as usize) as isize);
    }
    let regrouped = TensorInfo::with_strides(info.dtype(), channels, &extents, &strides)?;
    let mut valid: Vec<_> = info.valid_region().ranges().collect();
    if let Some(columns) = valid.last_mut() {
        let (start, end) = (of(columns.start).div_ceil(channels as usize), of(columns.end) / channels as usize);
        *columns = start.min(end)..end;
    }
    regrouped.with_valid_region(ValidRegion::from_ranges(&valid)?)
}

/// The same elements in another shape; they lie without gaps, and all of them are valid.
fn reshaped(info: &TensorInfo, shape: Shape) -> Result<TensorInfo, InvalidTensor> {
    let count = |shape: Shape| shape.extents().iter().product::<usize>();
    let (found, expected) = (count(info.shape()), count(shape));
    if found != expected {
        return Err(InvalidTensor::Length { found, expected });
    }
    if !info.is_packed() {
        let dimension = info.shape().rank().saturating_sub(2);
        let expected = (info.width() * info.pixel_size()) as isize;
        return Err(InvalidTensor::Gap { dimension, found: info.row_stride(), expected });
    }
    let whole = ValidRegion::whole(info.shape());
    let valid = info.valid_region();
    if let Some(inner) = (0..MAX_DIMENSIONS).find(|&d| valid.inner_range(d) != whole.inner_range(d)) {
        let (dimension, range) = (info.shape().outer_index(inner), valid.inner_range(inner));
        let extent = info.shape().inner_extent(inner);
        return Err(InvalidTensor::ValidRegion { dimension, start: range.start, end: range.end, extent });
    }
    TensorInfo::new(info.dtype(), info.channels(), &shape.extents())
}

/// The memory of a value, and how it lies there.
pub(crate) type Place = (NonNull<u8>, TensorInfo);

/// The entries of a value that is a table or a uniform: of this type, without gaps.
pub(super) fn holds(info: &TensorInfo, element: ElementType, length: usize) -> bool {
    let elements: usize = info.shape().extents().iter().product();
    info.dtype() == element.dtype() && elements * info.channels() as usize == length
}
